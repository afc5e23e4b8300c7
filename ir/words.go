package ir

// wording is the texts of one kind of mistake. An eager text gets TensorFlow's
// {{function_node …}} prefix and [Op:…] suffix, a traced one the node's text,
// unless bare. A traced InvalidArgumentError is a ValueError; an empty traced
// text is the eager one. Verbs take the mistake's arguments by number.
type wording struct {
	class, text         string
	tracedClass, traced string
	bare                bool
}

// The kinds of mistakes that have a text of their own eager and traced. What
// reads the same in both worlds uses Invalid or Wrong.
const (
	FreeText             Kind = iota // class, text
	HostError                        // error
	DTypesDiffer                     // op, operand, arg, want, got, arg of want
	WrongArgDType                    // op, operand, arg, want, got
	DTypeNotAllowed                  // op, arg, dtype
	NoGradientRegistered             // op name
	IncompatibleShapes               // shape, shape, dim, dim
	MatMulNDims                      // operand, rank
	MatMulRanksDiffer                // shape, shape, rank
	MatMulSize                       // shape, shape, k, k
	MatMulBatch                      // shape, shape, dim, dim
	ReshapeSize                      // elements, wanted, shape
	ReshapeMultiple                  // elements, multiple
	ReductionAxis                    // axis, rank
	ArgAxis                          // axis, rank
	ConcatDims                       // dim, i, shape 0, shape i, d0, di, short shapes
	ConcatRanks                      // i, shape 0, shape i, rank, rank
	ConcatAxis                       // rank, axis
	PackShapes                       // i, shape 0, shape i, dim, d0, di
	SplitEven                        // dim, size, n
	TransposeSize                    // want, got
	ExpandDimsAxis                   // axis, rank, lo, hi
	TopKColumns                      // have, k
	AddNShapes                       // i, shape 0, shape i, dim, d0, di
	EnsureShapeDiffers               // got, want, dim, want d, got d
	FillNegative                     // dim
	BiasSize                         // bias shape, shape, depth, n
	ConvDepth                        // depth, filter depth
	TileRank                         // want, got
	PadRank                          // paddings shape, shape, rank of input, rows
	BroadcastToShapes                // from, to, d, d
	SelectShapes                     // cond, then, else, d, d
	CrossEntropyShapes               // logits, labels, d, d
	AssignUpdateShape                // variable, value, dim, want d, got d
	ScatterShapes                    // inner, indices shape, updates shape
	NotSquare                        // rows, columns
	EinsumDim                        // dim, axis, shape, got
	GatherRank                       // rank wanted, rank
	numKinds
)

var words = [numKinds]wording{
	HostError:            {},
	NoGradientRegistered: {class: "LookupError", text: "gradient registry has no entry for: %[1]s", bare: true},
	IncompatibleShapes: {class: "InvalidArgumentError", text: "Incompatible shapes: %[1]s vs. %[2]s",
		traced: "Dimensions must be equal, but are %[3]d and %[4]d"},
	DTypesDiffer:    {class: "InvalidArgumentError"},
	WrongArgDType:   {class: "InvalidArgumentError"},
	DTypeNotAllowed: {class: "InvalidArgumentError"},
	MatMulNDims: {class: "InvalidArgumentError", text: "In[0] and In[1] ndims must be == 2: %[2]d",
		traced: "Shape must be rank 2 but is rank %[2]d"},
	MatMulRanksDiffer: {class: "InvalidArgumentError", text: "In[0] and In[1] has different ndims: %[1]s vs. %[2]s",
		traced: "Shape must be rank 2 but is rank %[3]d"},
	MatMulSize: {class: "InvalidArgumentError", text: "Matrix size-incompatible: In[0]: %[1]s, In[1]: %[2]s",
		traced: "Dimensions must be equal, but are %[3]d and %[4]d"},
	MatMulBatch: {class: "InvalidArgumentError", text: "In[0] and In[1] must have compatible batch dimensions: %[1]s vs. %[2]s",
		traced: "Dimensions must be equal, but are %[3]d and %[4]d"},
	ReshapeSize: {class: "InvalidArgumentError", text: "Input to reshape is a tensor with %[1]d values, but the requested shape has %[2]d",
		traced: "Cannot reshape a tensor with %[1]d elements to shape %[3]s (%[2]d elements)"},
	ReshapeMultiple: {class: "InvalidArgumentError", text: "Input to reshape is a tensor with %[1]d values, but the requested shape requires a multiple of %[2]d",
		traced: "Dimension size must be evenly divisible by %[2]d but is %[1]d"},
	ReductionAxis: {class: "InvalidArgumentError", text: "Invalid reduction dimension (%[1]d for input with %[2]d dimension(s)",
		traced: "Invalid reduction dimension %[1]d for input with %[2]d dimensions."},
	ArgAxis: {class: "InvalidArgumentError", text: "Expected dimension in the range [-%[2]d, %[2]d), but got %[1]d",
		traced: "Dimension (%[1]d) must be in the range [-%[2]d, %[2]d), where %[2]d is the number of dimensions in the input."},
	ConcatDims: {class: "InvalidArgumentError", text: "ConcatOp : Dimension %[1]d in both shapes must be equal: shape[0] = %[3]s vs. shape[%[2]d] = %[4]s",
		traced: "Dimension %[7]d in both shapes must be equal, but are %[5]d and %[6]d. Shapes are %[8]s and %[9]s."},
	ConcatRanks: {class: "InvalidArgumentError", text: "ConcatOp : Ranks of all input tensors should match: shape[0] = %[2]s vs. shape[%[1]d] = %[3]s",
		traced: "Shape must be rank %[4]d but is rank %[5]d"},
	ConcatAxis: {class: "InvalidArgumentError", text: "ConcatOp : Expected concatenating dimensions in the range [-%[1]d, %[1]d), but got %[2]d",
		traced: "Concat dimension %[2]d is outside the range [-%[1]d, %[1]d)"},
	PackShapes: {class: "InvalidArgumentError", text: "Shapes of all inputs must match: values[0].shape = %[2]s != values[%[1]d].shape = %[3]s",
		traced: "Dimension %[4]d in both shapes must be equal, but are %[5]d and %[6]d. Shapes are %[2]s and %[3]s.\n\tFrom merging shape 0 with other shapes."},
	SplitEven: {class: "InvalidArgumentError", text: "Number of ways to split should evenly divide the split dimension, but got split_dim %[1]d (size = %[2]d) and num_split %[3]d",
		traced: "Dimension size must be evenly divisible by %[3]d but is %[2]d\n\tNumber of ways to split should evenly divide the split dimension"},
	TransposeSize: {class: "InvalidArgumentError", text: "transpose expects a vector of size %[1]d. But input(1) is a vector of size %[2]d",
		traced: "Dimension must be %[1]d but is %[2]d"},
	ExpandDimsAxis: {class: "InvalidArgumentError", text: "Tried to expand dim index %[1]d for tensor with %[2]d dimensions.",
		traced: "dim %[1]d not in the interval [%[3]d, %[4]d]."},
	TopKColumns: {class: "InvalidArgumentError", text: "input must have at least k columns. Had %[1]d, needed %[2]d",
		traced: "input must have last dimension >= k = %[2]d but is %[1]d"},
	AddNShapes: {class: "InvalidArgumentError", text: "Inputs to operation AddN of type AddN must have the same size and shape.  Input 0: %[2]s != input %[1]d: %[3]s",
		traced: "Dimension %[4]d in both shapes must be equal, but are %[5]d and %[6]d. Shapes are %[2]s and %[3]s.\n\tFrom merging shape 0 with other shapes."},
	EnsureShapeDiffers: {class: "InvalidArgumentError", text: "Shape of tensor input %[1]s is not compatible with expected shape %[2]s.",
		traced: "Dimension %[3]d in both shapes must be equal, but are %[4]d and %[5]d. Shapes are %[2]s and %[1]s."},
	FillNegative: {class: "InvalidArgumentError", text: "Dimension %[1]d must be >= 0", traced: "Fill dimensions must be >= 0"},
	BiasSize: {class: "InvalidArgumentError", text: "Must provide as many biases as the last dimension of the input tensor: %[1]s vs. %[2]s",
		traced: "Dimensions must be equal, but are %[3]d and %[4]d"},
	ConvDepth: {class: "InvalidArgumentError", text: "input depth must be evenly divisible by filter depth: %[1]d vs %[2]d",
		traced: "Depth of input (%[1]d) is not a multiple of input depth of filter (%[2]d)"},
	TileRank: {class: "InvalidArgumentError", text: "Expected multiples argument to be a vector of length %[1]d but got length %[2]d",
		traced: "Shape must be rank %[1]d but is rank %[2]d"},
	PadRank: {class: "InvalidArgumentError", text: "The first dimension of paddings must be the rank of inputs%[1]s %[2]s",
		traced: "Shape must be rank %[4]d but is rank %[3]d"},
	BroadcastToShapes: {class: "InvalidArgumentError", text: "Incompatible shapes: %[1]s vs. %[2]s",
		traced: "Dimensions must be equal, but are %[3]d and %[4]d"},
	SelectShapes: {class: "InvalidArgumentError", text: "condition %[1]s, then %[2]s, and else %[3]s must be broadcastable",
		traced: "Dimensions must be equal, but are %[4]d and %[5]d"},
	CrossEntropyShapes: {class: "InvalidArgumentError", text: "logits and labels must be broadcastable: logits_size=%[1]s labels_size=%[2]s",
		traced: "Dimensions must be equal, but are %[3]d and %[4]d"},
	AssignUpdateShape: {class: "InvalidArgumentError", text: "Cannot update variable with shape %[1]s using a Tensor with shape %[2]s, shapes must be equal.",
		traced: "Dimension %[3]d in both shapes must be equal, but are %[4]d and %[5]d. Shapes are %[1]s and %[2]s."},
	ScatterShapes: {class: "InvalidArgumentError", text: "Dimensions [0,%[1]d) of indices[shape=%[2]s] must match dimensions [0,%[1]d) of updates[shape=%[3]s]"},
	NotSquare:     {class: "InvalidArgumentError", text: "Input matrix must be square.", traced: "Dimensions must be equal, but are %[1]d and %[2]d"},
	EinsumDim: {class: "InvalidArgumentError", text: "Expected dimension %[1]d at axis %[2]d of the input shaped %[3]s but got dimension %[4]d",
		traced: "Dimensions must be equal, but are %[1]d and %[4]d"},
	GatherRank: {class: "InvalidArgumentError", text: "Shape must be at least rank %[1]d but is rank %[2]d"},
}
