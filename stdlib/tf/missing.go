package tf

import "github.com/tfs-lang/tfs/lang"

// later are branches of TensorFlow that are not there yet.
var later = map[string]string{
	"tf.keras": "Keras comes with a later version", "tf.data": "tf.data comes with a later version",
	"tf.train": "checkpoints come with a later version", "tf.saved_model": "saved models come with a later version",
	"tf.summary": "summaries come with a later version", "tf.lite": "not planned", "tf.distribute": "comes with a later version",
	"tf.io": "tf.io comes with a later version", "tf.image": "images come with a later version",
	"tf.feature_column": "TensorFlow removed it",
}

// missing words the AttributeError of a name that is planned; "" for one that TensorFlow doesn't have either.
func missing(path, name string) string {
	why := later[path+"."+name]
	if why == "" {
		return ""
	}
	return "module '" + moduleName(path) + "' has no attribute '" + name + "' (" + why + ")"
}

// nearest is the most similar name of the module, or a full name elsewhere in the
// tree that ends alike; "" if nothing is near.
func nearest(path, name string) string {
	best := lang.Nearest(name, names(path))
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
