package progfuzz

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
)

//go:embed oracle.py
var oracleScript string

// Oracle is what a CPython does with programs.
func Oracle(python, dir string, programs []string) ([]Result, error) {
	input, err := json.Marshal(programs)
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(python, "-c", oracleScript, File)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "PYTHONHASHSEED=0", "PYTHONDONTWRITEBYTECODE=1")
	cmd.Stdin = bytes.NewReader(input)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w\n%s", python, err, errs.Bytes())
	}
	var results []Result
	return results, json.Unmarshal(out, &results)
}
