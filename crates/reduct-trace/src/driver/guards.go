// Runs a Go program under a plan: only the statement executions that the plan names are executed.
//
// The build is told that this file belongs to container/ring, a package that hardly any program uses. The files of the program have guards
// (guards/go.rs of reduct-grammars), which call it. A guard names an execution by the one that it belongs to, the statement, and how often that
// came before within it: the execution index of Xin, Sumner and Zhang (PLDI 2008). Instructions are records that end with a NUL: see
// instructions.rs.
package ring

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
)

const (
	unresolved = 125
	// All below an execution at the deepest level that is recorded is a part of it.
	part = -1
	// So many depths are told apart.
	depthsTold = 4096
)

// F is the frame of a function: what the function belongs to, and the executions that are under way in it.
type F struct {
	belongsTo int32
	underWay  []int32
}

type name struct {
	parent, statement, count int32
}

// H says whether values are noted.
var H bool

var (
	lock sync.Mutex
	// What a function that is called now belongs to.
	now               int32
	isTold, hasPlan   bool
	known             = map[name]int32{}
	counts            = map[name]int32{}
	depths            = []int32{0}
	kept              = []bool{true}
	executed          int32
	deepest           = int32(1<<31 - 1)
	// If a kept run is recorded again: what belongs to an execution at this depth, or a deeper one, has the numbers after those taken.
	below, numbered   = int32(1<<31 - 1), int32(0)
	seen, limit, most = uint64(0), ^uint64(0), uint64(0)
	record, perDepth  []byte
	values            *os.File
)

func init() {
	told := os.Getenv("REDUCT_GUARDS")
	os.Unsetenv("REDUCT_GUARDS")
	taken := told + ".taken"
	if told == "" || os.Rename(told, taken) != nil {
		return
	}
	text, err := os.ReadFile(taken)
	if err != nil {
		giveUp("the instructions cannot be read")
	}
	// Nobody needs it any more, nor its folder, if nothing else is there.
	os.Remove(taken)
	os.Remove(filepath.Dir(taken))
	for _, line := range strings.Split(strings.TrimSuffix(string(text), "\x00"), "\x00") {
		word, rest, _ := strings.Cut(line, " ")
		number, _ := strconv.ParseUint(rest, 10, 64)
		switch word {
		case "known":
			know(rest)
		case "record":
			defer func() { record, perDepth = mapped(rest, 16+8*most), mapped(rest+".depths", 8*depthsTold) }()
		case "values":
			values, err = os.Create(rest)
			H = err == nil
		case "most":
			most = number
		case "limit":
			limit = number
		case "below":
			below = int32(number)
		case "taken":
			numbered, executed = int32(number), int32(number)
		case "deepest":
			if number < 1<<31 {
				deepest = int32(number)
			}
		}
	}
	isTold = true
}

func know(text string) {
	var numbers [5]int32
	for at, word := range strings.Fields(text) {
		number, _ := strconv.ParseUint(word, 10, 32)
		numbers[at] = int32(uint32(number))
	}
	parent, number := numbers[0], numbers[3]
	hasPlan = true
	roomFor(parent)
	roomFor(number)
	known[name{parent, numbers[1], numbers[2]}] = number
	depths[number] = depths[parent] + 1
	kept[number] = numbers[4] != 0
}

func roomFor(number int32) {
	for int(number) >= len(depths) {
		depths, kept = append(depths, 0), append(kept, false)
	}
}

// What is written to it stays if the program dies.
func mapped(path string, size uint64) []byte {
	file, err := os.Create(path)
	if err == nil {
		defer file.Close()
		err = file.Truncate(int64(size))
	}
	if err == nil {
		var bytes []byte
		bytes, err = syscall.Mmap(int(file.Fd()), 0, int(size), syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
		if err == nil {
			return bytes
		}
	}
	giveUp("the record cannot be written")
	return nil
}

func giveUp(why string) {
	syscall.Write(2, []byte("reduct step: "+why+"\n"))
	syscall.Exit(unresolved)
}

// E begins a function: it has no more than so many executions under way.
func E(size int) *F {
	frame := &F{underWay: make([]int32, 0, size)}
	lock.Lock()
	frame.belongsTo = now
	lock.Unlock()
	return frame
}

// L ends a function.
func L(frame *F) {
	S(frame.belongsTo)
}

// N returns what belongs to the execution that is under way.
func N() int32 {
	lock.Lock()
	defer lock.Unlock()
	return now
}

// S makes that what comes now belongs to this execution.
func S(execution int32) {
	lock.Lock()
	now = execution
	lock.Unlock()
}

// C makes that what comes now belongs to what is at a depth.
func C(frame *F, depth int) bool {
	if len(frame.underWay) > depth {
		frame.underWay = frame.underWay[:depth]
	}
	S(frame.parent(depth))
	return true
}

func (frame *F) parent(depth int) int32 {
	if depth > len(frame.underWay) {
		depth = len(frame.underWay)
	}
	if depth == 0 {
		return frame.belongsTo
	}
	return frame.underWay[depth-1]
}

// K returns whether a statement is to be executed.
func K(frame *F, statement int32, depth int) bool {
	if !isTold {
		return true
	}
	lock.Lock()
	defer lock.Unlock()
	parent := frame.parent(depth)
	execution := executionOf(parent, statement)
	if len(frame.underWay) > depth {
		frame.underWay = frame.underWay[:depth]
	}
	for len(frame.underWay) < depth {
		frame.underWay = append(frame.underWay, parent)
	}
	now = parent
	if execution > 0 && hasPlan && !kept[execution] {
		return false
	}
	frame.underWay = append(frame.underWay, execution)
	if execution > 0 {
		now = execution
	}
	return true
}

func executionOf(parent, statement int32) int32 {
	seen++
	if seen > limit {
		giveUp("more was executed than could be: the plan makes a loop longer")
	}
	if parent < 0 || depths[parent] >= deepest {
		return part
	}
	if !hasPlan || depths[parent] >= below {
		executed++
		roomFor(executed)
		kept[executed] = true
		depth := depths[parent] + 1
		depths[executed] = depth
		if record != nil {
			put(executed-numbered, depth, parent, statement)
		}
		return executed
	}
	counted := name{parent, statement, -1}
	count := counts[counted]
	counts[counted] = count + 1
	number, ok := known[name{parent, statement, count}]
	if !ok {
		giveUp("something is executed that was not when it was recorded")
	}
	return number
}

func put(number, depth, parent, statement int32) {
	if depth >= depthsTold {
		depth = depthsTold - 1
	}
	at := perDepth[8*depth:]
	binary.LittleEndian.PutUint64(at, binary.LittleEndian.Uint64(at)+1)
	binary.LittleEndian.PutUint64(record[8:], uint64(number))
	if uint64(number) > most {
		return
	}
	of := record[16+8*(number-1):]
	binary.LittleEndian.PutUint32(of, uint32(parent))
	binary.LittleEndian.PutUint32(of[4:], uint32(statement))
	binary.LittleEndian.PutUint64(record, uint64(number))
}

// V notes a value that was assigned.
func V(frame *F, depth int, of string, value any) {
	if depth >= len(frame.underWay) || frame.underWay[depth] <= 0 {
		return
	}
	line := "[" + strconv.Itoa(int(frame.underWay[depth])) + ",{" + quoted(of) + ":" + quoted(shown(value)) + "}]\n"
	lock.Lock()
	values.WriteString(line)
	lock.Unlock()
}
