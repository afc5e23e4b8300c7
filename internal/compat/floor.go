package compat

import "fmt"

// floor is the share of public names, in percent, that the modules which ordinary scripts use must have.
const floor = 90

// held are those modules; a number other than 0 is the lower floor of one that is still on its way.
var held = map[string]int{
	"os": 60, "os.path": 0, "time": 0, "math": 0, "random": 0, "pathlib": 0, "collections": 0, "collections.abc": 0, "itertools": 0,
	"functools": 0, "sys": 80, "json": 0, "datetime": 0, "typing": 0, "dataclasses": 0, "enum": 0, "abc": 0, "contextlib": 0, "re": 0,
	"csv": 0, "io": 0, "copy": 0, "string": 0, "tempfile": 0, "shutil": 65, "glob": 0, "logging": 0, "argparse": 0, "warnings": 0,
	"traceback": 0, "operator": 0, "statistics": 0, "textwrap": 0, "pprint": 0, "bisect": 0, "heapq": 0, "struct": 0, "gzip": 0, "zlib": 0,
	"hashlib": 80, "base64": 0, "types": 0, "inspect": 80, "timeit": 0, "uuid": 0, "platform": 0, "getpass": 0, "builtins": 0, "unittest": 0,
}

// BelowFloor names the modules of a report that have fewer names than they must.
func (r *Report) BelowFloor() []string {
	var found []string
	for _, m := range r.Modules {
		least, ok := held[m.Name]
		if !ok {
			continue
		}
		if least == 0 {
			least = floor
		}
		if n := len(m.Present) + len(m.Absent); len(m.Present)*100 < least*n {
			found = append(found, fmt.Sprintf("%s has %d of %d names, fewer than %d %%", m.Name, len(m.Present), n, least))
		}
	}
	return found
}
