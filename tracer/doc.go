// Package tracer turns script functions into graphs with TensorFlow's rules.
//
// Main types: Function (a polymorphic tf.function), TraceType (what the cache
// key knows of an argument), Cache (key → ConcreteFunction), ConcreteFunction
// (one trace, callable), FuncGraph (the Emitter that appends nodes and captures
// what comes from outside), Ledger (every trace with its reason), and the staging
// of if, while and for, which implements lang.Stager.
//
// Phases of a call: bind arguments to parameters → the binding plan of the call
// site, or a key made of TraceTypes → the Cache, or a trace: parameters become
// placeholders, the staged variant of the body runs with the FuncGraph as
// emitter, results are converted → one Call op on the flat inputs and captures →
// results packed into the structure the body returned.
//
// It must not know kernels.
package tracer
