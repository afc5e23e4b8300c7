package lang

import "github.com/tfs-lang/tfs/lang/value"

// payloadInstance is an instance and its payload in one block.
type payloadInstance struct {
	Instance
	room instExt
}

// NewPayload is NewInstance for a built-in class whose instances are made in
// great numbers, as the scalars of numpy: one allocation, no attributes yet.
func NewPayload(c *Class, payload Value) Value {
	o := &payloadInstance{}
	o.Type, o.Kind, o.shape = &c.Type, value.KindInstance, c.root
	o.room.payload = payload.Held().Value()
	o.ext = &o.room
	return o.Value()
}
