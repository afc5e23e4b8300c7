// Command bench runs the benchmark programs under tfs and, when TFS_ORACLE names a Python with TensorFlow, under the
// peers too, and compares the ratios with the targets.
//
//	go run ./bench/cmd/bench                      tfs alone, all programs
//	go run ./bench/cmd/bench -stage skeleton      what this stage's targets need, with ratios when TFS_ORACLE is set
//	go run ./bench/cmd/bench -only 'gemm.*,lang'  by program or by measurement (shell patterns)
//	go run ./bench/cmd/bench -smoke               each program briefly: do they still run?
//
// A program prints `bench NAME SECONDS` and `check NAME VALUE` lines. From outside come the wall time (`wall.PROGRAM`,
// seconds) and the peak memory (`rss.PROGRAM`, MiB). Each figure is the least of several runs; the runs of tfs and of
// the peers take turns, so that a slow minute of the machine meets both. Children are pinned to one CPU and told to use
// one thread.
//
// The command must not know anything about the programs but their names: what they measure stands in them.
package main
