package tf

import "strings"

// later are branches of TensorFlow that are not there yet.
var later = map[string]string{
	"tf.keras": "Keras comes with a later version", "tf.data": "tf.data comes with a later version",
	"tf.train": "checkpoints come with a later version", "tf.saved_model": "saved models come with a later version",
	"tf.summary": "summaries come with a later version", "tf.lite": "not planned", "tf.distribute": "comes with a later version",
	"tf.io": "tf.io comes with a later version", "tf.image": "images come with a later version",
	"tf.feature_column": "TensorFlow removed it",
}

// missing words the AttributeError of a name that is not there: what is planned,
// or the nearest name there is.
func missing(path, name string) string {
	full := path + "." + name
	text := "module '" + moduleName(path) + "' has no attribute '" + name + "'"
	if why := later[full]; why != "" {
		return text + " (" + why + ")"
	}
	if near := nearest(path, name); near != "" {
		return text + ". Did you mean: '" + near + "'?"
	}
	return text
}

// nearest is the most similar name of the module, or a full name elsewhere in the
// tree that ends alike; "" if nothing is near.
func nearest(path, name string) string {
	best, dist := "", len(name)/3+1
	for _, n := range names(path) {
		if d := editDistance(strings.ToLower(n), strings.ToLower(name), dist); d < dist || d == dist && best == "" {
			best, dist = n, d
		}
	}
	if best != "" {
		return best
	}
	for p := range tree() {
		if p != path && tree()[p][name] != nil && (best == "" || p < best) {
			best = p
		}
	}
	if best == "" {
		return ""
	}
	return best + "." + name
}

// editDistance counts the changes of one letter between a and b; more than limit
// is limit+1.
func editDistance(a, b string, limit int) int {
	if len(a)-len(b) > limit || len(b)-len(a) > limit {
		return limit + 1
	}
	prev := make([]int, len(b)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := range len(a) {
		diag := prev[0]
		prev[0] = i + 1
		for j := range len(b) {
			cost := diag
			if a[i] != b[j] {
				cost = min(diag, prev[j], prev[j+1]) + 1
			}
			diag, prev[j+1] = prev[j+1], cost
		}
	}
	return prev[len(b)]
}
