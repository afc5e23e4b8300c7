//go:build !poison

package poison

// On is whether this binary poisons memory.
const On = false
