package parser

// nameTable holds one copy of each identifier of a parse, in the form that
// decides whether two are the same. It is a hash table with open addressing, of
// a power of two of places.
type nameTable struct {
	table []nameEntry
	count int
	debug bool // __debug__ is among them
}

type nameEntry struct {
	hash     uint32
	text, id string
}

// get returns the name that a text of the source stands for.
func (n *nameTable) get(text string) string {
	h := uint32(len(text))
	for i := 0; i < len(text); i++ {
		h = (h ^ uint32(text[i])) * 0x01000193
	}
	h ^= h >> 15
	if len(n.table) > 0 {
		for i := h; ; i++ {
			e := &n.table[i&uint32(len(n.table)-1)]
			if e.hash == h && e.text == text {
				return e.id
			}
			if e.text == "" {
				break
			}
		}
	}
	return n.add(h, text)
}

func (n *nameTable) add(h uint32, text string) string {
	if 2*n.count >= len(n.table) {
		old := n.table
		n.table = make([]nameEntry, max(64, 4*len(old)))
		for _, e := range old {
			if e.text != "" {
				n.put(e)
			}
		}
	}
	id := normalize(text)
	if id != text {
		id = n.get(id)
	}
	n.debug = n.debug || id == "__debug__"
	n.put(nameEntry{h, text, id})
	n.count++
	return id
}

func (n *nameTable) put(e nameEntry) {
	mask := uint32(len(n.table) - 1)
	i := e.hash & mask
	for n.table[i].text != "" {
		i = (i + 1) & mask
	}
	n.table[i] = e
}
