// Command stockcheck reads lines about shelves and says which of them have to be filled.
// What is asked of a shelf is generic in the type of the answer, so that callers can have
// answers with methods.
package main

import (
	"fmt"
	"os"
	"sort"
	"strings"
)

type Shelf struct {
	Name  string
	Goods string
	Count int
}

// Answer is a bool that can say what it means.
type Answer bool

func (a Answer) String() string {
	if a {
		return "full"
	}
	return "to be filled"
}

func words(line string) []string {
	fields := strings.FieldsFunc(line, func(r rune) bool {
		return r == ';' || r == ' '
	})
	for i, field := range fields {
		fields[i] = strings.ToLower(field)
	}
	return fields
}

func parseShelf(line string) (Shelf, error) {
	fields := words(line)
	if len(fields) != 3 {
		return Shelf{}, fmt.Errorf("want three fields: %q", line)
	}
	shelf := Shelf{Name: fields[0], Goods: fields[1]}
	if _, err := fmt.Sscan(fields[2], &shelf.Count); err != nil {
		return Shelf{}, fmt.Errorf("bad count in %q: %w", line, err)
	}
	return shelf, nil
}

// isOf says whether there are such goods on a shelf.
func isOf[T ~bool](shelf Shelf, goods string) T {
	var yes T = shelf.Goods == goods
	return yes
}

func list(shelves []Shelf, goods string) string {
	var names []string
	for _, shelf := range shelves {
		if isOf[Answer](shelf, goods) {
			names = append(names, shelf.Name)
		}
	}
	sort.Strings(names)
	return strings.Join(names, ", ")
}

func emptiest(shelves []Shelf) (least Shelf) {
	for i, shelf := range shelves {
		if i < 1 || shelf.Count < least.Count {
			least = shelf
		}
	}
	return least
}

func main() {
	lines := []string{
		"a1; apples; 40",
		"a2; pears; 3",
		"b1; apples; 12",
	}
	var shelves []Shelf
	for _, line := range lines {
		shelf, err := parseShelf(line)
		if err != nil {
			fmt.Fprintln(os.Stderr, "left out:", err)
			continue
		}
		shelves = append(shelves, shelf)
	}
	fmt.Println("apples on:", list(shelves, "apples"))
	fmt.Println("the emptiest:", emptiest(shelves).Name)
	fmt.Println("apples on the emptiest:", isOf[Answer](emptiest(shelves), "apples"))
}
