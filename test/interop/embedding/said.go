// Prints all that the package in docs/embedding/go reads of each path, in the lines of said.py.
package main

import (
	"encoding/hex"
	"errors"
	"fmt"
	"log"
	"os"
	"strings"

	"numel"
)

// number is a count as the other languages print it.
func number(n uint64) string {
	if n == numel.NotKnown {
		return "-"
	}
	return fmt.Sprint(n)
}

func text(s string) string {
	if s == "" {
		return "-"
	}
	return numel.Escape(s)
}

func judged(m *numel.Model) error {
	j, err := m.Judgement()
	if err != nil {
		return err
	}
	fmt.Printf("judgement\t%v\t%v\t%s\t%s\t%s\n", j.Kind, j.Verdict, text(j.Architecture), text(j.Name), text(j.KnownBy))
	for _, c := range j.Causes {
		fmt.Printf("cause\t%s\t%d\t%s\n", c.Code, c.Explains, numel.Escape(c.Text))
	}
	for _, c := range j.Causes {
		fmt.Printf("at-least\t%v\n", c.State)
	}
	return nil
}

func counted(m *numel.Model) error {
	c, err := m.Counts()
	if err != nil {
		return err
	}
	fmt.Print("counts")
	for _, n := range []uint64{c.Tensors, c.Stored, c.Logical, c.Unique, c.Parameters, c.Buffers, c.NonEmbedding, c.Active} {
		fmt.Print("\t", number(n))
	}
	fmt.Println()
	return nil
}

func told(m *numel.Model) error {
	f, err := m.Facts()
	if err != nil {
		return err
	}
	fmt.Printf("facts\t%s\t%s\t%s\t%s\t%s\t%s\t%d\n", text(f.Architecture), text(f.Expression), number(f.Formula), text(f.Why),
		text(f.Quantization), text(f.Adapter), f.Unexplained)
	return nil
}

func stated(m *numel.Model) error {
	lines, err := m.Statement()
	for _, n := range lines {
		explains := 0
		if n.Explains {
			explains = 1
		}
		fmt.Printf("line\t%s\t%d\t%d\t%d\t%d\t%d\t%s\t%s\n", n.Code, n.Tensors, n.Elements, n.Unchecked, int(n.Ground), explains,
			numel.Escape(n.Cause), numel.Escape(n.Detail))
	}
	return err
}

func listed(m *numel.Model) (failure error) {
	m.Tensors()(func(t numel.Tensor, err error) bool {
		if err != nil {
			failure = err
			return false
		}
		var shape []string
		for _, d := range t.Shape {
			shape = append(shape, fmt.Sprint(d))
		}
		fmt.Printf("tensor\t%s\t%s\t%s\t%d\t%d\t%s\n", hex.EncodeToString([]byte(t.Name)), t.DType, strings.Join(shape, "x"),
			t.Elements, t.Bytes, number(t.Offset))
		return true
	})
	return failure
}

func parted(m *numel.Model) error {
	members, err := m.Members()
	if err != nil {
		return err
	}
	for _, member := range members {
		j, err := member.Judgement()
		if err != nil {
			return err
		}
		fmt.Printf("member\t%v\t%v\t%s\n", j.Kind, j.Verdict, text(j.Name))
	}
	return nil
}

func reported(m *numel.Model) error {
	text, err := m.ReconcileJSON()
	if err != nil {
		return err
	}
	sum := 0
	for _, b := range text {
		sum += int(b)
	}
	fmt.Printf("json\t%d\t%d\n", len(text), sum)
	return nil
}

type step struct {
	name string
	call func(*numel.Model) error
}

func tried(path string, options *numel.Options, steps ...step) {
	model, err := numel.Open(path, options)
	if err != nil {
		log.Fatal(err)
	}
	defer model.Close()
	for _, s := range steps {
		var e *numel.Error
		if errors.As(s.call(model), &e) {
			fmt.Printf("error\t%s\t%v\t%s\t%s\t%s\t%v\n", s.name, e.Code, number(e.Offset), text(e.File), e.What, e)
		}
	}
}

func main() {
	first := step{"judged", judged}
	for _, path := range os.Args[2:] {
		fmt.Printf("path\t%s\n", path)
		tried(path, nil, first, step{"counted", counted}, step{"told", told}, step{"stated", stated}, step{"listed", listed},
			step{"parted", parted}, step{"reported", reported})
		tried(path, &numel.Options{Config: os.Args[1], Sets: []string{"vocab_size=7"}}, first)
	}
}
