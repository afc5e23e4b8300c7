package lang

// The bits of type.__flags__ that scripts read.
const (
	typeHeap     = 1 << 9
	typeBase     = 1 << 10
	typeReady    = 1 << 12
	typeAbstract = 1 << 20
)

// typeFlags is __flags__: whether a script made the class, may derive from it, and which basic type it extends.
func (c *Class) typeFlags() int64 {
	flags := int64(typeReady)
	if c.script {
		flags |= typeHeap
	}
	if c.Flags&ClassFinal == 0 {
		flags |= typeBase
	}
	if c.Flags&ClassAbstract != 0 {
		flags |= typeAbstract
	}
	for i, base := range []*Class{IntClass, ListClass, TupleClass, BytesClass, StrClass, DictClass, BaseException, TypeClass} {
		if c.IsSub(base) {
			flags |= 1 << (24 + i)
		}
	}
	return flags
}
