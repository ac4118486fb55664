// Draws Helm's templates by the template language of Go itself, with the few functions of Helm that our chart uses:
// go run chart.go templates... < {"Values": ..., "Release": ...}. Texts are separated by a NUL. An unknown function or key is an error, as in Helm.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"text/template"
)

func main() {
	var root map[string]any
	if err := json.NewDecoder(os.Stdin).Decode(&root); err != nil {
		fail(err)
	}
	functions := template.FuncMap{
		"quote": func(value any) string { return fmt.Sprintf("%q", text(value)) },
		// JSON is YAML.
		"toYaml": func(value any) string {
			bytes, err := json.Marshal(value)
			if err != nil {
				fail(err)
			}
			return string(bytes)
		},
		"nindent": func(count int, value string) string {
			pad := strings.Repeat(" ", count)
			return "\n" + pad + strings.ReplaceAll(value, "\n", "\n"+pad)
		},
	}
	for _, path := range os.Args[1:] {
		bytes, err := os.ReadFile(path)
		if err != nil {
			fail(err)
		}
		drawn, err := template.New(path).Option("missingkey=error").Funcs(functions).Parse(string(bytes))
		if err != nil {
			fail(err)
		}
		if err := drawn.Execute(os.Stdout, root); err != nil {
			fail(err)
		}
		fmt.Print("\x00")
	}
}

func text(value any) string {
	if value == nil {
		return ""
	}
	// Numbers of JSON that are whole are written so.
	if number, is := value.(float64); is && number == float64(int64(number)) {
		return fmt.Sprint(int64(number))
	}
	return fmt.Sprint(value)
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
