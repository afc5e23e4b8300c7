module github.com/tfs-lang/tfs/internal/gen

go 1.26.0

