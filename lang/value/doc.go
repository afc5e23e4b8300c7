// Package value defines the two-word Value that every script register holds and
// the Header that every heap object begins with. It sits below the language and
// below the tensors, so that neither has to import the other: the VM reads the
// kind and the owner count through any pointer, a tensor embeds Header as its
// first field.
//
// A Value is {P, N}:
//
//	P == nil              an int64 in N
//	P == &FloatTag …      an immediate whose payload (if any) is in N
//	otherwise             a pointer to an object that begins with a Header
//
// Raw bits never stand in P. The package must not know what an object does:
// behaviour hangs on lang.Class, whose first field is a Type.
package value
