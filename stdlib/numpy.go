package stdlib

import "github.com/tfs-lang/tfs/stdlib/np"

func init() { libraries = append(libraries, library{native: np.Native, source: np.Source}) }
