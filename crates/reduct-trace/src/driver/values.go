package ring

import (
	"encoding/json"
	"fmt"
	"reflect"
	"sort"
	"strconv"
	"strings"
)

// Of a value, so many characters are kept, and it is looked into so deep.
const longest, deep = 200, 3

func quoted(text string) string {
	line, _ := json.Marshal(strings.ToValidUTF8(text, "?"))
	return string(line)
}

// Values are shown without methods of the program: they might do something.
func shown(value any) string {
	var text strings.Builder
	show(reflect.ValueOf(value), &text, 0)
	all := []rune(text.String())
	if len(all) > longest {
		all = all[:longest]
	}
	return string(all)
}

func show(value reflect.Value, text *strings.Builder, depth int) {
	if text.Len() > longest {
		return
	}
	if depth > deep {
		text.WriteString("...")
		return
	}
	listed := func(opens, closes string, length int, each func(int)) {
		text.WriteString(opens)
		for at := 0; at < length && text.Len() <= longest; at++ {
			if at > 0 {
				text.WriteString(", ")
			}
			each(at)
		}
		text.WriteString(closes)
	}
	switch value.Kind() {
	case reflect.Invalid:
		text.WriteString("nil")
	case reflect.Bool:
		fmt.Fprint(text, value.Bool())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		fmt.Fprint(text, value.Int())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		fmt.Fprint(text, value.Uint())
	case reflect.Float32, reflect.Float64:
		fmt.Fprint(text, value.Float())
	case reflect.Complex64, reflect.Complex128:
		fmt.Fprint(text, value.Complex())
	case reflect.String:
		cut := value.String()
		if len(cut) > longest {
			cut = cut[:longest]
		}
		text.WriteString(strconv.Quote(cut))
	case reflect.Slice, reflect.Array:
		if value.Kind() == reflect.Slice && value.IsNil() {
			text.WriteString("nil")
			return
		}
		listed("[", "]", value.Len(), func(at int) { show(value.Index(at), text, depth+1) })
	case reflect.Struct:
		listed("{", "}", value.NumField(), func(at int) {
			text.WriteString(value.Type().Field(at).Name + ": ")
			show(value.Field(at), text, depth+1)
		})
	case reflect.Map:
		keys := value.MapKeys()
		names := make([]string, len(keys))
		for at, key := range keys {
			var name strings.Builder
			show(key, &name, depth+1)
			names[at] = name.String()
		}
		order := make([]int, len(keys))
		for at := range order {
			order[at] = at
		}
		sort.Slice(order, func(a, b int) bool { return names[order[a]] < names[order[b]] })
		listed("{", "}", len(keys), func(at int) {
			text.WriteString(names[order[at]] + ": ")
			show(value.MapIndex(keys[order[at]]), text, depth+1)
		})
	case reflect.Pointer, reflect.Interface:
		if value.IsNil() {
			text.WriteString("nil")
			return
		}
		if value.Kind() == reflect.Pointer {
			text.WriteString("&")
		}
		show(value.Elem(), text, depth+1)
	default:
		if value.IsNil() {
			text.WriteString("nil")
			return
		}
		text.WriteString(value.Type().String())
	}
}
