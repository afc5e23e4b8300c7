// Command tfs runs TensorFlow-style training scripts.
//
//	tfs run FILE [ARGS…]     run a script
//	tfs -c CODE [ARGS…]      run a piece of code
//	tfs explain FILE [ARGS…] run a script, then list every trace with its reason
//	tfs version              version, platform and kernels
//	tfs                      the interactive prompt
//
// Exit status: 0; 1 after an uncaught exception or a syntax error; 2 on wrong
// usage; the script's own for sys.exit; 130 after Ctrl-C.
package main
