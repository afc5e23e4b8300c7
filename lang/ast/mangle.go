package ast

// Mangle returns the name as the body of the class private makes it: __x becomes
// _Class__x.
func Mangle(private, name string) string {
	if private == "" || len(name) < 3 || name[0] != '_' || name[1] != '_' {
		return name
	}
	if n := len(name); name[n-1] == '_' && name[n-2] == '_' {
		return name
	}
	for i := 0; i < len(name); i++ {
		if name[i] == '.' {
			return name
		}
	}
	for private != "" && private[0] == '_' {
		private = private[1:]
	}
	if private == "" {
		return name
	}
	return "_" + private + name
}
