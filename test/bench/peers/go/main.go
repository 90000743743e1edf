// peer FILE... -- tensors and elements of GGUF files, as gguf-parser-go reads their headers.
package main

import (
	"fmt"
	"os"

	parser "github.com/gpustack/gguf-parser-go"
)

func main() {
	tensors, elements := 0, uint64(0)
	for _, path := range os.Args[1:] {
		file, err := parser.ParseGGUFFile(path, parser.UseMMap())
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		tensors += len(file.TensorInfos)
		elements += file.TensorInfos.Elements()
	}
	fmt.Println(tensors, elements)
}
