package lang

// importPath are the folders of sys.path as the script has left it.
func (in *Interp) importPath() []string {
	v, ok := in.Modules.GetStr("sys")
	if !ok {
		return in.Path
	}
	m, ok := AsModule(v)
	if !ok {
		return in.Path
	}
	v, _ = m.dict.GetStr("path")
	items, ok := Sequence(v)
	if !ok {
		return in.Path
	}
	dirs := make([]string, 0, len(items))
	for _, it := range items {
		if s, ok := AsStr(it.Value()); ok {
			dirs = append(dirs, s.s)
		}
	}
	return dirs
}
