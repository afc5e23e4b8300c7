// Package format holds the text algorithms of the built-in types as pure
// functions over Go data: the format mini-language, %-format, the field
// syntax of str.format, shortest float text, number literals as int(), float()
// and complex() read them, quoting of strings and bytes, rounding by exact
// decimal value, and the Unicode predicates and case maps of the version that
// Python 3.11 has (14.0).
//
// Main types: Spec (a parsed format specifier with one method a kind of value),
// Percent (a scanner over a %-format), Fields (a scanner over a str.format
// template), Error (class name and text of a mistake).
//
// The package knows nothing of script objects: what calls script code
// (__format__, attribute look-up in a field) is driven by the binding.
package format
