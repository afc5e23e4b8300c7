package stdlib

import "strings"

// later are modules that people import and that are not there yet, with what to
// use meanwhile.
var later = map[string]string{
	"keras":           "Keras comes with a later version; write the layers on tf.Module meanwhile",
	"matplotlib":      "plots come with a later version",
	"pandas":          "not planned soon; read tables with the csv module",
	"sklearn":         "not planned; split and scale with numpy",
	"scipy":           "not planned; see tf.linalg and tf.signal",
	"lzma":            "LZMA is not there; use gzip or zlib",
	"ssl":             "the network is not there yet",
	"http":            "the network is not there yet; urllib.parse takes addresses apart",
	"ctypes":          "scripts load no C code; struct, array and numpy lay out bytes",
	"tkinter":         "there are no windows; print, or write files",
	"shelve":          "no database is there; use pickle or json",
	"dbm":             "no database is there; use pickle or json",
	"zipfile":         "zip files are not there yet; use gzip or zlib",
	"tarfile":         "tar files are not there yet; use gzip or zlib",
	"xml":             "XML is not there yet; use json",
	"zoneinfo":        "time zones by name are not there yet; use datetime.timezone with an offset",
	"sqlite3":         "no database is there; use csv, json or pickle",
	"socket":          "the network is not there yet",
	"asyncio":         "asynchronous code is not there yet; use threading or concurrent.futures",
	"multiprocessing": "scripts don't run in other processes; use concurrent.futures.ThreadPoolExecutor",
	"torch":           "tfs runs TensorFlow scripts",
	"jax":             "tfs runs TensorFlow scripts",
}

// near words the ModuleNotFoundError of an unknown module; "" leaves Python's text.
func near(name string) string {
	root, _, _ := strings.Cut(name, ".")
	if why := later[root]; why != "" {
		return "No module named '" + name + "' (" + why + ")"
	}
	return ""
}
