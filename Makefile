STAGE ?=

.PHONY: check test bench fmt build

build:
	CGO_ENABLED=0 go build -trimpath -ldflags='-s -w' -o bin/tfs ./cmd/tfs

test:
	go test ./...

check:
	.ci/run

# With TFS_ORACLE=/path/to/python the peers run too: make bench STAGE=skeleton
bench:
	go run ./bench/cmd/bench $(if $(STAGE),-stage $(STAGE))

fmt:
	git ls-files '*.go' | xargs gofmt -s -w
