// Package autodiff is reverse-mode differentiation over records: what a tape
// kept of the ops that ran, or what a graph's nodes say. There is one Backprop
// for both; gradient rules emit through the session, so that a gradient can be
// taped, traced and differentiated again.
//
// It walks records from the targets in falling order of their serials with a
// heap, never by recursion, and lets go of each record when the source says so.
//
// The package must not know whether ops run now or are traced.
package autodiff
