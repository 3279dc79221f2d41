"""Runs a native program in gdb: records when its functions are entered and have returned, and looks at variables and changes
them at such points.

Called by gdb as: gdb -x driver.py PROGRAM. What it is to do stands in instructions.json beside it: see `Instructions` in
instructions.rs.

A point is the entry of a function, or the return of one to its caller, if both have debug information and stand in files that are
looked into. A point is named by the entry of the function that calls, by its place, and by how often that place came before within
that entry: the execution index of Xin, Sumner and Zhang (PLDI 2008). Gdb stops the program at each point. Behind the last point
of interest, there are no breakpoints left, so the program runs on as fast as ever.
"""
import contextlib
import json
import mmap
import os
import re
import resource
import signal
import struct
import sys

import gdb

UNRESOLVED = 125
# Where the program writes to, and this driver; what gdb itself says goes nowhere.
STDERR = 4
EVENT = struct.Struct('<ii')
# Each stop takes a millisecond or so.
MOST_POINTS = 20000
# Of a function that is called more often, later calls are no points.
MOST_CALLS = 200
# Added to the number of a return within its function: entries have small numbers.
RETURNS = 1000
# What stands before the text of the line of a call that has returned. plan.rs has it, too.
AFTER = '(after the call) '
# Of one frame, and of all globals, so many values are looked at; of an array, so many elements; through so many pointers.
MOST_VALUES = 400
MOST_ELEMENTS = 200
MOST_POINTERS = 3
LONGEST_STRING = 4096
# The main function, and so many of the innermost ones.
MOST_FRAMES = 20


def give_up(why):
    os.write(STDERR, ('reduct step: %s\n' % why).encode('utf-8', 'replace'))
    try:
        gdb.execute('kill', to_string=True)
    except gdb.error:
        pass
    os._exit(UNRESOLVED)


def created(path):
    return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_APPEND | os.O_CLOEXEC, 0o666)


def write_line(file, it):
    os.write(file, (json.dumps(it) + '\n').encode('utf-8', 'surrogateescape'))


class Record:
    """The points, written where they stay if gdb dies: pairs of the point that it belongs to and the place."""

    def __init__(self, path):
        self.path = path
        size = 16 + EVENT.size * MOST_POINTS
        with open(path, 'w+b') as file:
            file.truncate(size)
            self.map = mmap.mmap(file.fileno(), size)
        self.described = created(path + '.statements')

    def add(self, number, parent, place):
        struct.pack_into('<Q', self.map, 8, number)
        if number > MOST_POINTS:
            give_up('the program has more points than can be recorded')
        EVENT.pack_into(self.map, 16 + EVENT.size * (number - 1), parent, place)
        struct.pack_into('<Q', self.map, 0, number)

    def close(self, often):
        write_line(created(self.path + '.often'), sorted(often))


class Files:
    """The files that are looked into, and their lines."""

    def __init__(self, into):
        paths = [os.path.realpath(path) for path in into]
        self.files = set(path for path in paths if os.path.isfile(path))
        self.folders = tuple(path.rstrip('/') + '/' for path in paths if path not in self.files)
        self.here = os.path.join(os.path.realpath('.'), '')
        self.texts = {}

    def is_looked_into(self, path):
        real = os.path.realpath(path)
        return real in self.files or real.startswith(self.folders)

    def named(self, path):
        real = os.path.realpath(path)
        name = real[len(self.here):] if real.startswith(self.here) else real
        return name.encode('utf-8', 'replace').decode()

    def line(self, path, number):
        if path not in self.texts:
            try:
                with open(path, encoding='utf-8', errors='replace') as file:
                    self.texts[path] = file.read().split('\n')
            except OSError:
                self.texts[path] = []
        lines = self.texts[path]
        return lines[number - 1].rstrip() if 0 < number <= len(lines) else ''


class Function:
    """A function of the program: its symbol, where it begins, and how often it was called."""

    def __init__(self, symbol, start):
        self.symbol = symbol
        self.name = symbol.name.split('(')[0].replace(' ', '')
        self.path = symbol.symtab.fullname()
        self.line = symbol.line
        self.start = start
        self.nth = 1
        self.calls = 0
        self.breakpoint = None


def locations(breakpoint):
    """Returns the addresses of a breakpoint. Before gdb 13, only its listing has them."""
    if hasattr(breakpoint, 'locations'):
        return [location.address for location in breakpoint.locations if location.address is not None]
    listing = gdb.execute('maint info breakpoints %d' % breakpoint.number, to_string=True)
    return [int(address, 16) for address in re.findall(r'\b0x[0-9a-f]+\b', listing)]


def function_at(address):
    """Returns the symbol of the function that has an address, and its first address. It is not one that was inlined."""
    block = gdb.block_for_pc(address)
    symbol = start = None
    while block is not None and not block.is_static and not block.is_global:
        if block.function is not None:
            symbol, start = block.function, block.start
        block = block.superblock
    return symbol, start


class Symbols:
    """The functions and global variables that stand in files that are looked into."""

    def __init__(self, files):
        self.files = files
        self.functions = {}     # address after the prologue -> function
        self.variables = []
        seen = set()
        for symtab in self.symtabs():
            for block in (symtab.global_block(), symtab.static_block()):
                if (block.start, block.end, block.is_global, symtab.fullname()) in seen:
                    continue
                seen.add((block.start, block.end, block.is_global, symtab.fullname()))
                for symbol in block:
                    if symbol.symtab is not None and files.is_looked_into(symbol.symtab.fullname()):
                        self.add(symbol)
        on_line = {}
        for _, function in sorted(self.functions.items()):
            key = (function.path, function.line)
            on_line[key] = function.nth = on_line.get(key, 0) + 1
        names = [symbol.name for symbol in self.variables]
        self.variables = sorted(((self.named(symbol, names.count(symbol.name) > 1), symbol) for symbol in self.variables),
                                key=lambda it: it[0])

    def named(self, symbol, is_ambiguous):
        """Returns the name of a global variable as an expression of gdb."""
        return "'%s'::%s" % (os.path.basename(symbol.symtab.filename), symbol.name) if is_ambiguous else symbol.name

    def symtabs(self):
        """Returns the tables of symbols that are looked into. Gdb reads one when it is asked for a line of its file."""
        gdb.execute('set filename-display absolute')
        listing = gdb.execute('info functions -n', to_string=True)
        path = None
        for line in listing.split('\n'):
            if line.startswith('File ') and line.endswith(':'):
                path = line[len('File '):-1]
            number = re.match(r'(\d+):\s', line)
            if number and path and self.files.is_looked_into(path):
                try:
                    sals = gdb.decode_line('"%s":%s' % (path, number.group(1)))[1] or ()
                except gdb.error:
                    continue
                yield from (sal.symtab for sal in sals if sal.symtab is not None)
                path = None

    def add(self, symbol):
        if symbol.is_function:
            try:
                where = gdb.Breakpoint(function=symbol.name, source=symbol.symtab.fullname(), internal=True)
            except gdb.error:
                return
            for address in locations(where):
                found, start = function_at(address)
                if found is not None and found.name == symbol.name:
                    self.functions[address] = Function(found, start)
            where.delete()
        elif symbol.is_variable and not symbol.is_argument and symbol.addr_class == gdb.SYMBOL_LOC_STATIC:
            # Others are made by compilers.
            if re.match(r'[A-Za-z_$][\w$:]*$', symbol.name):
                self.variables.append(symbol)


class Memory:
    """The memory of the stopped program."""

    def __init__(self):
        self.inferior = gdb.selected_inferior()
        self.maps = None
        self.bounds = {}
        self.has_gnu_heap = None

    def mapping(self, address):
        """Returns the writable part of the memory that an address belongs to: its end, and its name."""
        if self.maps is None:
            with open('/proc/%d/maps' % self.inferior.pid) as file:
                rows = [line.split(None, 5) for line in file]
            ends = [(row[0].split('-'), row[1], row[5].strip() if len(row) > 5 else '') for row in rows]
            self.maps = [(int(start, 16), int(end, 16), name) for (start, end), may, name in ends if may.startswith('rw')]
        return next(((end, name) for start, end, name in self.maps if start <= address < end), None)

    def bytes(self, address, size):
        return bytes(self.inferior.read_memory(address, size))

    def string(self, address):
        """Returns the bytes of a string before its end, if it has one and can be written."""
        mapping = self.mapping(address)
        if mapping is None:
            return None
        text = self.bytes(address, min(LONGEST_STRING, mapping[0] - address))
        return text[:text.index(0)] if 0 in text else None

    def bound(self, address):
        """Returns how many bytes can be used at an address that malloc has returned; 0 if it has not."""
        if address not in self.bounds:
            self.bounds[address] = self.usable(address) if self.is_gnu_heap() and address % 16 == 0 else 0
        return self.bounds[address]

    def is_gnu_heap(self):
        """Returns whether malloc is that of the GNU C library, so that the size of a chunk stands before it."""
        if self.has_gnu_heap is None:
            try:
                self.has_gnu_heap = bool(gdb.parse_and_eval('(long) &malloc == (long) &__libc_malloc'))
            except gdb.error:
                self.has_gnu_heap = False
        return self.has_gnu_heap

    def usable(self, address):
        """Returns what malloc_usable_size would; 0 if no chunk is at the address that is in use, as far as its neighbour tells.

        The function itself is not called: it would trust any address, and gdb 13 can call no function on a processor with AMX,
        as it cannot write back all registers ("Couldn't write extended state status")."""
        mapping = self.mapping(address)
        if mapping is None or mapping[1] not in ('', '[heap]'):
            return 0
        head = self.word(address - 8)
        size, has_own_mapping = head & ~7, head & 2
        # What is not allocated yet is like a chunk up to the end of the heap.
        most = mapping[0] - address + (16 if has_own_mapping else 0)
        if not 32 <= size <= most or size % 16:
            return 0
        if has_own_mapping:
            return size - 16
        # The next chunk tells whether this one is in use.
        is_used = size < most and self.word(address - 8 + size) & 1
        return size - 8 if is_used else 0

    def word(self, address):
        """Returns the unsigned number of eight bytes at an address; 0 if it cannot be read."""
        try:
            return struct.unpack('<Q', self.bytes(address, 8))[0]
        except gdb.error:
            return 0


SCALARS = (gdb.TYPE_CODE_INT, gdb.TYPE_CODE_CHAR, gdb.TYPE_CODE_BOOL, gdb.TYPE_CODE_ENUM, gdb.TYPE_CODE_FLT)


def is_char(type):
    return type.code in (gdb.TYPE_CODE_INT, gdb.TYPE_CODE_CHAR) and type.sizeof == 1 and type.name in ('char', 'signed char')


def scalar(value, type):
    """Returns the text of a number, as gdb reads it."""
    if type.code == gdb.TYPE_CODE_FLT:
        number = float(value)
        if number - number != 0:
            return None
        return repr(number) if type.sizeof <= 8 else str(value)
    if type.code == gdb.TYPE_CODE_ENUM:
        text = str(value)
        return text if re.match(r'[A-Za-z_][\w:]*$', text) else str(int(value))
    number = int(value)
    if is_char(type) and 32 <= number < 127:
        return "'%s'" % re.sub(r"(['\\])", r'\\\1', chr(number))
    return str(number)


def quoted(text):
    """Returns the text of a string."""
    text = text.decode('utf-8', 'surrogateescape')
    return json.dumps(text, ensure_ascii=any('\ud800' <= c <= '\udfff' for c in text))


class Values:
    """Plain values, by the names of what they belong to. Each part of the memory is there once, under the first name."""

    def __init__(self, memory, seen):
        self.memory = memory
        self.seen = seen
        self.found = {}

    def add(self, name, value, pointers=0):
        if len(self.found) >= MOST_VALUES:
            return
        try:
            if not value.is_optimized_out:
                self.add_any(name, value, value.type.strip_typedefs(), pointers)
        except (gdb.error, ValueError, OverflowError):
            # What cannot be read is not compared.
            pass

    def is_new(self, value):
        # What is in a register has no address.
        key = (int(value.address), value.type.sizeof) if value.address is not None else None
        if key in self.seen:
            return False
        if key is not None:
            self.seen.add(key)
        return True

    def add_any(self, name, value, type, pointers):
        if type.code in SCALARS:
            text = scalar(value, type) if self.is_new(value) else None
            if text is not None:
                self.found[name] = text
        elif type.code in (gdb.TYPE_CODE_REF, gdb.TYPE_CODE_RVALUE_REF):
            self.add(name, value.referenced_value(), pointers)
        elif type.code == gdb.TYPE_CODE_ARRAY:
            self.add_array(name, value, type, pointers)
        elif type.code in (gdb.TYPE_CODE_STRUCT, gdb.TYPE_CODE_UNION):
            self.add_members(name + '.', value, type, pointers)
        elif type.code == gdb.TYPE_CODE_PTR and int(value) and pointers < MOST_POINTERS:
            self.add_target(name, value, type.target().strip_typedefs(), pointers + 1)

    def add_array(self, name, value, type, pointers):
        low, high = type.range()
        if is_char(type.target().strip_typedefs()) and value.address is not None:
            text = self.memory.bytes(int(value.address), high - low + 1)
            if 0 in text:
                return self.add_string(name, int(value.address), text[:text.index(0)])
        for at in range(low, min(high, low + MOST_ELEMENTS - 1) + 1):
            self.add('%s[%d]' % (name, at), value[at], pointers)

    def add_members(self, prefix, value, type, pointers):
        fields = [field for field in type.fields() if hasattr(field, 'bitpos') and not field.artificial]
        # The members of a union are the same memory.
        for field in fields[:1] if type.code == gdb.TYPE_CODE_UNION else fields:
            if field.is_base_class or not field.name:
                inner = value[field]
                self.add_members(prefix, inner, inner.type.strip_typedefs(), pointers)
            else:
                self.add(prefix + field.name, value[field], pointers)

    def add_target(self, name, value, target, pointers):
        if is_char(target):
            text = self.memory.string(int(value))
            if text is not None:
                self.add_string(name, int(value), text)
            return
        if target.code not in SCALARS + (gdb.TYPE_CODE_STRUCT, gdb.TYPE_CODE_UNION, gdb.TYPE_CODE_PTR) or not target.sizeof:
            return
        for at in range(min(self.memory.bound(int(value)) // target.sizeof, MOST_ELEMENTS)):
            element = (value + at).dereference()
            if at == 0 and target.code in (gdb.TYPE_CODE_STRUCT, gdb.TYPE_CODE_UNION):
                self.add_members(name + '->', element, target, pointers)
            else:
                self.add('%s[%d]' % (name, at), element, pointers)

    def add_string(self, name, address, text):
        if (address, 'string') not in self.seen:
            self.seen.add((address, 'string'))
            self.found[name] = quoted(text)


class Activation:
    """A call of a function that is looked into: its point, and where it returns to."""
    __slots__ = ('function', 'point', 'back', 'stack')

    def __init__(self, function, point, back, stack):
        self.function, self.point, self.back, self.stack = function, point, back, stack


class Point:
    """Where the program has stopped: a function was entered, or has returned."""

    def __init__(self, number, parent, returned):
        self.number, self.parent, self.returned = number, parent, returned

    def frames(self, files):
        """Returns the active functions that are looked into, each with how many of them have called it."""
        frames, frame = [], gdb.newest_frame()
        while frame is not None and frame.is_valid():
            function = frame.function()
            if function is not None and function.symtab is not None and files.is_looked_into(function.symtab.fullname()):
                frames.append(frame)
            frame = frame.older()
        # Globals are at depth 0.
        frames = list(enumerate(reversed(frames), 1))
        return frames if len(frames) <= MOST_FRAMES else frames[:1] + frames[1 - MOST_FRAMES:]

    def result(self):
        """Returns the register that holds what has been returned, as an expression, and its type, if it is a number."""
        type = self.returned.symbol.type.target().strip_typedefs() if self.returned else None
        machine = gdb.newest_frame().architecture().name()
        if type is None or type.code not in SCALARS or type.sizeof > 8:
            return None, None
        is_float = type.code == gdb.TYPE_CODE_FLT
        if 'x86-64' in machine:
            floats = '$xmm0.v2_double[0]' if type.sizeof == 8 else '$xmm0.v4_float[0]'
            return (floats if is_float else '$rax'), type
        if machine == 'aarch64':
            floats = '$d0' if type.sizeof == 8 else '$s0'
            return (floats if is_float else '$x0'), type
        return None, None

    def returned_value(self):
        register, type = self.result()
        if register is None:
            return None
        value = gdb.parse_and_eval(register)
        if type.code != gdb.TYPE_CODE_FLT:
            # A number is in the lower part of it.
            raw = int(value) & ((1 << 8 * type.sizeof) - 1)
            value = gdb.Value(raw).cast(type)
        return scalar(value, type)


def variables(frame, is_entered):
    """Returns the variables of a function. Right after its entry, only its arguments have values; elsewhere, what is declared
    further down has none."""
    names, block, line = {}, frame.block(), frame.find_sal().line
    while block is not None and not block.is_static and not block.is_global:
        for symbol in block:
            is_one = symbol.is_argument or symbol.is_variable and not is_entered and symbol.line <= line
            if is_one and symbol.name not in names:
                names[symbol.name] = symbol
        if block.function is not None:
            break
        block = block.superblock
    return names


class Look:
    """Writes down globals, and the variables of all active functions, at some points."""

    def __init__(self, instructions, symbols):
        self.at = set(instructions['at'])
        self.last = max(self.at)
        self.to = created(instructions['to'])
        self.symbols = symbols

    def stop(self, point):
        seen, memory, state = set(), Memory(), []
        globals = Values(memory, seen)
        for name, symbol in self.symbols.variables:
            globals.add(name, symbol.value())
        state += [[0, '<globals>:0', name, text] for name, text in globals.found.items()]
        frames = point.frames(self.symbols.files)
        for depth, frame in frames:
            is_innermost = depth == frames[-1][0]
            values = Values(memory, seen)
            for name, symbol in sorted(variables(frame, is_innermost and point.returned is None).items()):
                values.add(name, symbol.value(frame))
            if is_innermost:
                self.add_returned(point, values.found)
            symbol = frame.function()
            function = '%s:%d' % (symbol.name.split('(')[0].replace(' ', ''), symbol.line)
            state += [[depth, function, name, text] for name, text in values.found.items()]
        write_line(self.to, [point.number, state])
        if point.number == self.last:
            gdb.execute('kill', to_string=True)

    def add_returned(self, point, found):
        try:
            text = point.returned_value()
        except gdb.error:
            return
        if text is not None:
            found[point.returned.name + '()'] = text


class Change:
    """Gives variables other values at a point."""

    def __init__(self, instructions, symbols):
        self.at = {instructions['at']}
        self.last = instructions['at']
        self.values = instructions['values']
        self.symbols = symbols

    def stop(self, point):
        frames = dict(point.frames(self.symbols.files))
        for depth, name, text in self.values:
            if depth and depth not in frames:
                give_up('the functions are not active in which variables are to be changed')
            frames[depth or max(frames)].select()
            try:
                self.assign(point, name if depth else self.of_globals(name), text)
            except gdb.error as error:
                give_up('%s cannot be changed: %s' % (name, error))

    def of_globals(self, name):
        # A variable of the function that was entered may have the same name.
        return name if name.startswith("'") else '::' + name

    def assign(self, point, name, text):
        if name.endswith('()'):
            register, type = point.result()
            try:
                gdb.execute('set variable %s = %s' % (register, text))
            except gdb.error:
                if not register.startswith('$xmm0'):
                    raise
                move_to_xmm0(struct.pack('<d' if type.sizeof == 8 else '<f', float(text)))
        elif text.startswith('"'):
            write_string(gdb.parse_and_eval(name), json.loads(text).encode('utf-8', 'surrogateescape'))
        else:
            gdb.execute('set variable %s = %s' % (name, text))


def move_to_xmm0(number):
    """Puts a number of four or eight bytes into xmm0 by an instruction of the program, where gdb cannot (see Memory.usable)."""
    inferior = gdb.selected_inferior()
    at, kept = gdb.newest_frame().pc(), int(gdb.parse_and_eval('$rax'))
    # movq %rax, %xmm0, or movd %eax, %xmm0
    instruction = b'\x66\x48\x0f\x6e\xc0' if len(number) == 8 else b'\x66\x0f\x6e\xc0'
    own = bytes(inferior.read_memory(at, len(instruction)))
    with others_stopped(inferior):
        try:
            inferior.write_memory(at, instruction)
            gdb.execute('set variable $rax = %d' % int.from_bytes(number, 'little'))
            gdb.execute('stepi', to_string=True)
            if gdb.newest_frame().pc() != at + len(instruction):
                raise gdb.error('a step did not end where it should')
        finally:
            inferior.write_memory(at, own)
            gdb.execute('set variable $rax = %d' % kept)
            gdb.execute('set variable $pc = %d' % at)


@contextlib.contextmanager
def others_stopped(inferior):
    """Lets the selected thread run alone."""
    has_others = len(inferior.threads()) > 1
    if has_others:
        gdb.execute('set scheduler-locking on')
    try:
        yield
    finally:
        if has_others:
            gdb.execute('set scheduler-locking replay')


def write_string(value, text):
    """Puts a string where another one is, if it fits. One that does not fit changes nothing, so it is never a cause."""
    memory = Memory()
    type = value.type.strip_typedefs()
    if type.code == gdb.TYPE_CODE_ARRAY:
        address, room = int(value.address), type.sizeof
    else:
        address = int(value)
        room = memory.bound(address) or len(memory.string(address) or b'') + 1
    if len(text) < room:
        memory.inferior.write_memory(address, text + b'\0')


class Run:
    """The points of the run. They go by their numbers in time, from 1; 0 is the program itself."""

    def __init__(self, instructions):
        self.files = Files(instructions['into'])
        self.symbols = Symbols(self.files)
        if not self.symbols.functions:
            give_up('no function has debug information and stands in a file that is looked into')
        self.numbers = {}        # place -> number
        self.points = 0
        self.active = {}         # thread -> activations
        self.backs = {}          # address of a return -> breakpoint
        self.often = set()
        record = instructions.get('record')
        self.record = Record(record) if record else None
        self.watch = None
        for name, kind in (('look', Look), ('change', Change)):
            if instructions.get(name):
                self.watch = kind(instructions[name], self.symbols)
        for address, function in self.symbols.functions.items():
            function.breakpoint = gdb.Breakpoint('*%d' % address, internal=True)

    def place(self, path, line, nth, text, function):
        key = (path, line, nth)
        number = self.numbers.get(key)
        if number is None:
            number = self.numbers[key] = len(self.numbers) + 1
            if self.record:
                write_line(self.record.described, [number, self.files.named(path), line, nth, False, text, function])
        return number

    def point(self, parent, place, returned):
        self.points += 1
        if self.record:
            self.record.add(self.points, parent, place)
        if self.watch and self.points in self.watch.at:
            self.watch.stop(Point(self.points, parent, returned))
        return self.points

    def stopped(self):
        """Does what is to be done where the program has stopped."""
        frame = gdb.newest_frame()
        address, stack = frame.pc(), int(frame.read_register('sp'))
        active = self.active.setdefault(gdb.selected_thread().num, [])
        if address in self.backs:
            # What was left by a jump is not active any more.
            while active and active[-1].stack < stack:
                active.pop()
            if active and (active[-1].back, active[-1].stack) == (address, stack):
                self.returned(active.pop().function, active, address)
        if address in self.symbols.functions and is_alive():
            self.entered(self.symbols.functions[address], active, frame)

    def entered(self, function, active, frame):
        caller = frame.older()
        # The main function is called by nobody that is known: it ends last.
        back, stack = None, sys.maxsize * 2
        if caller is not None and caller.is_valid():
            stack = int(caller.read_register('sp'))
            while active and active[-1].stack <= stack:
                active.pop()
        function.calls += 1
        if function.calls > MOST_CALLS:
            self.often.add(function.name)
            function.breakpoint.delete()
            return
        parent = active[-1].point if active else 0
        place = self.place(function.path, function.line, function.nth,
                           self.files.line(function.path, function.line), function.name)
        number = self.point(parent, place, None)
        if is_alive() and caller is not None and caller.function() is not None:
            symtab = caller.function().symtab
            if symtab is not None and self.files.is_looked_into(symtab.fullname()) and active:
                back = caller.pc()
                if back not in self.backs:
                    self.backs[back] = gdb.Breakpoint('*%d' % back, internal=True)
        active.append(Activation(function, number, back, stack))

    def returned(self, function, active, address):
        # The call is the instruction before.
        call = gdb.find_pc_line(address - 1)
        symbol, start = function_at(address)
        if call.symtab is None or symbol is None:
            return
        path = call.symtab.fullname()
        place = self.place(path, call.line, RETURNS + address - start, AFTER + self.files.line(path, call.line).strip(),
                           symbol.name.split('(')[0])
        self.point(active[-1].point if active else 0, place, function)

    def is_over(self):
        return self.watch is not None and self.points >= self.watch.last

    def leave(self):
        """Removes all breakpoints: the rest of the run has no point that matters."""
        for breakpoint in [it.breakpoint for it in self.symbols.functions.values()] + list(self.backs.values()):
            if breakpoint is not None and breakpoint.is_valid():
                breakpoint.delete()


def remove_own_files(paths):
    """What was written for this run is read: nobody else removes it if the program never ends by itself."""
    for path in paths:
        try:
            os.unlink(path)
        except OSError:
            pass
    try:
        os.rmdir(os.path.dirname(paths[0]))
    except OSError:
        pass


def is_alive():
    return gdb.selected_inferior().pid != 0


def ready():
    """Has the program loaded, and stops it before its main function."""
    # Gdb starts the program by the user's shell, which may be any; the program still gets the user's variable.
    with open('/proc/self/environ', 'rb') as file:
        names = set(variable.split(b'=')[0] for variable in file.read().split(b'\0'))
    os.environ['SHELL'] = '/bin/sh'
    for name in ('LINES', 'COLUMNS'):
        if name.encode() not in names:
            gdb.execute('unset environment %s' % name)
    gdb.execute('starti', to_string=True)
    try:
        gdb.Breakpoint('*main', internal=True, temporary=True)
    except gdb.error:
        return
    gdb.execute('continue', to_string=True)


def end(code):
    """Ends as the program has ended."""
    number = gdb.parse_and_eval('$_exitsignal')
    if number.type.code == gdb.TYPE_CODE_VOID:
        os._exit(code)
    number = int(number)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if number not in (signal.SIGKILL, signal.SIGSTOP):
        signal.signal(number, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [number])
    os.kill(os.getpid(), number)
    os._exit(128 + number)


def go(instructions):
    codes = [0]
    gdb.events.exited.connect(lambda event: codes.append(getattr(event, 'exit_code', 0)))
    ready()
    if is_alive():
        run = Run(instructions)
        while is_alive():
            run.stopped()
            if is_alive() and run.is_over():
                run.leave()
            if is_alive():
                gdb.execute('continue', to_string=True)
        if run.record:
            run.record.close(run.often)
    end(codes[-1])


try:
    OWN = os.path.join(os.path.dirname(__file__), 'instructions.json')
    with open(OWN) as file:
        INSTRUCTIONS = json.load(file)
    remove_own_files([__file__, OWN])
    go(INSTRUCTIONS)
except Exception as error:
    # Gdb ends with status 0 where a script fails, as a program that passes does.
    give_up('gdb: %s' % error)
except KeyboardInterrupt:
    give_up('interrupted')
