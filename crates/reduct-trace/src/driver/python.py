"""Runs a Python program under a plan: only the statement executions that the plan names are executed.

Started by python_start.py, which is called by `reduct step` as: driver.py INSTRUCTIONS WORD..., where the words are those of the program: a script, or -m MODULE,
and its arguments. INSTRUCTIONS is a file of JSON: see `Instructions` in python.rs.

Each statement of the program is guarded: `if _r_k(...): statement`. The guard names the execution by the execution that it
belongs to (of the call, the loop, the iteration), the statement, and how often that statement came before within it: the
execution index of Xin, Sumner and Zhang (PLDI 2008). An execution that was recorded and is not in the plan is skipped. One
that was never recorded ends the run at once with 125: what follows would say nothing of the recorded run.
"""
import sys

AT_THE_START = set(sys.modules)

# Each test begins with these: `_ast`, not `ast`, and `json` only where something is written, take half of the time.
import _ast as ast
import _collections
import _imp
import _thread
import _warnings
import atexit
import builtins
import gc
import importlib.machinery
import marshal
import mmap
import os
import struct
import types

UNRESOLVED = 125
# The files of this code.
OWN = (__file__, sys._getframe().f_code.co_filename)
# Definitions, and what has no effect of its own, are no events.
NO_EVENTS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom, ast.Global,
             ast.Nonlocal, ast.Pass)
TRIES = tuple(getattr(ast, name) for name in ('Try', 'TryStar') if hasattr(ast, name))
LOOPS = (ast.While, ast.For, ast.AsyncFor)
EVENT = struct.Struct('<ii')
# Added to the number of a statement: it was a condition, and held; or did not hold.
TAKEN, NOT = 1 << 29, 1 << 28
# Of a value, so many characters are kept.
LONGEST_VALUE = 200


def give_up(why):
    sys.stderr.write('reduct step: %s\n' % why)
    sys.stderr.flush()
    os._exit(UNRESOLVED)


def created(path):
    """Creates a file. Returns its descriptor: a file object would be closed with a warning at the end of some programs."""
    return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_APPEND | os.O_CLOEXEC, 0o666)


def read_json(path):
    """Reads a file of JSON, by the scanner of Python's own `json`, if there is one apart from that."""
    with open(path, encoding='utf-8') as file:
        text = file.read()
    try:
        from _json import make_scanner
        return make_scanner(JsonContext)(text, 0)[0]
    except (ImportError, AttributeError, TypeError):
        import json
        return json.loads(text)


class JsonContext:
    """What the scanner asks for."""
    strict = True
    object_hook = object_pairs_hook = None
    parse_float, parse_int, parse_constant = float, int, float


def write_line(file, it):
    os.write(file, (json.dumps(it) + '\n').encode('utf-8', 'surrogateescape'))


class Frame:
    """An activation of a function: the execution it belongs to, and those under way in it, by their depth."""
    __slots__ = ('base', 'under_way', 'asked', 'iterators')

    def __init__(self, base):
        self.base = base
        self.under_way = []
        # With recorded control: the execution asked about last, and the iterators of loops, by the numbers of those.
        self.asked = -1
        self.iterators = {}


class Run:
    """What is known of the run. Executions go by their numbers in time, from 1; 0 is the program itself."""

    def __init__(self, instructions):
        self.pid = os.getpid()
        self.local = _thread._local()
        self.statements = {}     # (file, line, which on the line, is iteration) -> number
        self.numbers = 0
        self.counts = {}         # (execution it belongs to, statement) -> how often
        self.seen = 0            # guards that were asked, skipped ones and all
        # If a kept run is recorded again: what belongs to an execution at this depth, or below, has the numbers after those taken.
        deeper = instructions.get('deeper') or {}
        self.below = deeper.get('below', sys.maxsize)
        self.taken = self.executed = deeper.get('taken', 0)
        self.depths = [0]
        self.deepest = instructions.get('deepest') or sys.maxsize
        self.limit = instructions.get('limit') or sys.maxsize
        self.follows = instructions.get('control') == 'recorded'
        self.known = None        # (execution it belongs to, statement, count) -> execution
        self.kept = None
        self.directions = {}     # execution of a condition -> where it went
        self.unset = instructions.get('unset')
        record, values = instructions.get('record'), instructions.get('values')
        self.values = created(values) if values else None
        # The executions before which variables are looked at; the names that a statement reads, by its number.
        self.looked = set(time for time, _ in instructions.get('reads') or ())
        self.reads = {}
        self.record = Record(record, instructions['most'], self.taken) if record else None
        self.watches = [kind(instructions[name]) for name, kind in (('look', Look), ('change', Change))
                        if instructions.get(name)]
        self.described = created((record or values) + '.statements') if record or values else None
        self.scheduler = None    # of threads
        # The code with guards that a recorded run has made, by the file and whether it is the main one; where it is written to.
        self.made = {}
        self.making = created(instructions['making']) if instructions.get('making') else None

    def number(self, place):
        number = self.statements.get(place)
        if number is None:
            self.numbers += 1
            number = self.statements[place] = self.numbers
        return number


class Record:
    """What is executed, written where it stays if the program dies: pairs of the execution that it belongs to and the
    statement."""

    def __init__(self, path, most, taken):
        self.most = most
        self.taken = taken
        self.per_depth = []
        size = 16 + EVENT.size * most
        with open(path, 'w+b') as file:
            file.truncate(size)
            self.map = mmap.mmap(file.fileno(), size)
        self.path = path

    def add(self, number, depth, parent, statement):
        while len(self.per_depth) <= depth:
            self.per_depth.append(0)
        self.per_depth[depth] += 1
        number -= self.taken
        struct.pack_into('<Q', self.map, 8, number)
        if number <= self.most:
            EVENT.pack_into(self.map, 16 + EVENT.size * (number - 1), parent, statement)
            struct.pack_into('<Q', self.map, 0, number)

    def direct(self, number, goes_on):
        if 0 < number <= self.most:
            at = 16 + EVENT.size * (number - 1)
            parent, statement = EVENT.unpack_from(self.map, at)
            EVENT.pack_into(self.map, at, parent, statement % NOT | (TAKEN if goes_on else NOT))

    def close(self):
        write_line(created(self.path + '.depths'), self.per_depth)
        self.map.flush()


def active_frames(frame):
    """Returns the frames of functions that are looked into, the outermost first, and that of the main module before them."""
    frames = []
    while frame is not None:
        code = frame.f_code
        if '_r_f' in code.co_varnames or code.co_name == '<module>' and '_r_f' in frame.f_globals:
            frames.append(frame)
        frame = frame.f_back
    return frames[::-1]


SIMPLE = (str, bytes, int, float, bool, type(None))
# Deeper, larger and longer values are not looked at.
DEEPEST_VALUE = 5
MOST_ITEMS = 10000
LONGEST_LITERAL = 100000


def is_plain(it, depth, items):
    """Returns whether a value consists of numbers, strings and containers of Python itself, so that its text says it all."""
    items[0] += 1
    if items[0] > MOST_ITEMS or depth > DEEPEST_VALUE:
        return False
    kind = type(it)
    if kind is float:
        return it - it == 0
    if kind in SIMPLE:
        return True
    if kind in (list, tuple) or kind is set and it:
        return all(is_plain(one, depth + 1, items) for one in it)
    return kind is dict and all(is_plain(one, depth + 1, items) for pair in it.items() for one in pair)


def literal(it):
    """Returns the text of a value, if that says it all."""
    if not is_plain(it, 0, [0]):
        return None
    # Of two equal sets, the texts can differ.
    text = '{%s}' % ', '.join(sorted(map(repr, it))) if type(it) is set else repr(it)
    return text if len(text) <= LONGEST_LITERAL else None


class Look:
    """Writes down the variables of all active functions before some executions."""

    def __init__(self, instructions):
        self.at = set(instructions['at'])
        self.to = created(instructions['to'])

    def before(self, execution, frame):
        state = []
        for depth, active in enumerate(active_frames(frame)):
            # A file can hold functions of one name: the line tells them apart.
            function = '%s:%d' % (active.f_code.co_name, active.f_code.co_firstlineno)
            for name, it in sorted(active.f_locals.items()):
                text = None if name.startswith(('_r_', '__')) else literal(it)
                if text is not None:
                    state.append([depth, function, name, text])
        write_line(self.to, [execution, state])


def in_place(old, new):
    """Returns a value in place of another one. A container stays the one it is, with other contents: an iteration over it goes
    on, and who else holds it sees them."""
    if type(old) is not type(new):
        return new
    if type(new) is list:
        old[:] = new
    elif type(new) in (dict, set):
        old.clear()
        old.update(new)
    else:
        return new
    return old


class Change:
    """Gives variables other values before an execution."""

    def __init__(self, instructions):
        self.at = {instructions['at']}
        self.values = [(depth, name, literal_eval(text)) for depth, name, text in instructions['values']]
        if sys.version_info < (3, 13):
            import ctypes
            self.to_fast = ctypes.pythonapi.PyFrame_LocalsToFast
            self.to_fast.argtypes = [ctypes.py_object, ctypes.c_int]
            self.to_fast.restype = None
        else:
            self.to_fast = lambda frame, clear: None

    def before(self, execution, frame):
        frames = active_frames(frame)
        for depth, active in enumerate(frames):
            names = active.f_locals
            given = {name: in_place(names.get(name), it) for of, name, it in self.values if of == depth}
            names.update(given)
            if given:
                self.to_fast(active, 0)
        if any(of >= len(frames) for of, _, _ in self.values):
            give_up('the functions are not active in which variables are to be changed')


def enter():
    return Frame(getattr(run.local, 'now', 0))


def leave(frame):
    run.local.now = frame.base


def guard(frame, statement, depth):
    """Returns whether this execution of a statement is executed."""
    parent = frame.under_way[depth - 1] if depth else frame.base
    run.seen += 1
    if run.seen > run.limit:
        give_up('more was executed than could be: the plan makes a loop longer')
    if parent < 0 or run.depths[parent] >= run.deepest:
        # All below an execution at that depth is a part of it.
        execution = -1
    else:
        key = (parent, statement)
        count = run.counts.get(key, 0)
        run.counts[key] = count + 1
        if run.known is None or run.depths[parent] >= run.below:
            run.executed += 1
            execution = run.executed
            run.depths.append(run.depths[parent] + 1)
            if run.record and os.getpid() == run.pid:
                run.record.add(execution, run.depths[execution], parent, statement)
            for watch in run.watches:
                if execution in watch.at and os.getpid() == run.pid:
                    watch.before(execution, sys._getframe(1))
        else:
            execution = run.known.get((parent, statement, count))
            if execution is None:
                give_up('something is executed that was not when it was recorded')
            frame.asked = execution
            if execution not in run.kept:
                return False
    frame.asked = execution
    del frame.under_way[depth:]
    frame.under_way.append(execution)
    run.local.now = execution if execution >= 0 else parent
    if execution in run.looked and os.getpid() == run.pid:
        note_read(execution, run.reads.get(statement, ()), sys._getframe(1))
    return True


def always(frame, statement, depth):
    """Executes a statement that only says where control goes, with recorded control: it goes as it was recorded."""
    if not guard(frame, statement, depth):
        del frame.under_way[depth:]
        frame.under_way.append(frame.asked)
        run.local.now = frame.asked


def direction(frame, asked, holds):
    """Returns where a condition goes: as it was recorded, whatever it is now."""
    if asked < 0:
        return holds
    if run.known is None:
        if run.record and os.getpid() == run.pid:
            run.record.direct(asked, holds)
        return holds
    goes = run.directions.get(asked)
    if goes is None:
        give_up('a condition is evaluated that was none when it was recorded')
    return goes


def condition(frame, statement, depth):
    """Returns whether a condition is evaluated, and which execution it is."""
    kept = guard(frame, statement, depth)
    return kept, frame.asked


def begin(frame, number, iterable):
    """Begins a loop over what can be iterated over; over nothing, if the beginning is left out."""
    frame.iterators[number] = iter(iterable)


def advance(frame, number, statement, depth):
    """Returns whether a loop goes on, as it was recorded. It advances only if that is executed."""
    kept = guard(frame, statement, depth)
    asked = frame.asked
    there = None
    if run.known is None or kept:
        there = next(frame.iterators.get(number, iter(())), DONE)
    goes = direction(frame, asked, there is not DONE)
    frame.iterators[-number] = (kept, there)
    return goes


def advanced(frame, number):
    """Returns whether a loop has a new value."""
    kept, there = frame.iterators[-number]
    if kept and there is DONE:
        give_up('a loop has come to its end that went on when it was recorded')
    return kept


def taken(frame, number):
    """Returns the new value of a loop."""
    return frame.iterators[-number][1]


DONE = object()


def value(frame, depth, values):
    """Notes what a statement has assigned."""
    execution = frame.under_way[depth] if depth < len(frame.under_way) else -1
    if run.values is not None and execution > 0:
        write_line(run.values, [execution, all_shown(values.items())])


def all_shown(values):
    """Returns the texts of values, by their names. What the program does to show them is a part of no execution."""
    shown, now, seen = {}, getattr(run.local, 'now', 0), run.seen
    run.local.now = -1
    for name, it in values:
        try:
            shown[name] = text_of(it, 0)[:LONGEST_VALUE]
        except BaseException:
            pass
    run.local.now, run.seen = now, seen
    return shown


BRACKETS = {list: '[]', tuple: '()', set: '{}', frozenset: '{}', dict: '{}', _collections.deque: '[]'}
# Python's own modules whose classes show themselves without a change of what they show.
HARMLESS = {'datetime', 'decimal', 'fractions', 'ipaddress', 'pathlib', 'pathlib._local', 'uuid'}
# What is written in C and shows what it holds by the `__repr__` of that.
HOLDERS = (types.MethodType, types.MappingProxyType, types.SimpleNamespace, type({}.keys()), type({}.values()), type({}.items()))


def text_of(it, depth):
    """Returns the beginning of the text of a value: what is long is not shown to its end. Nothing of the program is called."""
    kind = type(it)
    if kind in SIMPLE and kind not in (str, bytes):
        return repr(it)
    bases = bases_of(it)
    name = type.__dict__['__name__'].__get__(kind)
    if str in bases or bytes in bases:
        of = str if str in bases else bytes
        return repr(of.__getitem__(it, slice(LONGEST_VALUE)))
    own = dict_of(it)
    if '_value_' in own and type(own.get('_name_')) is str:
        return '%s.%s' % (name, own['_name_'])
    fields = next((base.__dict__['__dataclass_fields__'] for base in bases if '__dataclass_fields__' in base.__dict__), None)
    plain = next((base for base in bases if base in BRACKETS), None)
    if BaseException in bases:
        parts = parts_of(BaseException.args.__get__(it), depth, False)
        return name + '(' + parts + ')'
    if plain:
        begins, ends = BRACKETS[plain]
        if not plain.__len__(it):
            return begins + ends if kind in (list, tuple, dict) else name + '()'
        parts = parts_of(plain.items(it) if plain is dict else plain.__iter__(it), depth, plain is dict)
        if plain is tuple and tuple.__len__(it) == 1:
            parts += ','
        return begins + parts + ends if kind in (list, tuple, set, dict) else name + '(' + begins + parts + ends + ')'
    if fields is not None:
        return name + '(' + parts_of(fields_of(it, fields), depth, False, '%s=%s') + ')'
    if type in bases:
        return type.__repr__(it)
    shows = next(base for base in bases if '__repr__' in base.__dict__)
    is_of_c = type(shows.__dict__['__repr__']) is types.WrapperDescriptorType
    holds = any(base in HOLDERS or base.__dict__.get('__module__') in ('functools', 'itertools') for base in bases)
    if not holds and (is_of_c or shows.__dict__.get('__module__') in HARMLESS):
        return repr(it)
    return '<%s object>' % name


def parts_of(them, depth, are_pairs, joined='%s: %s'):
    """Returns the texts of the first parts of a value."""
    if depth == DEEPEST_VALUE:
        return '...'
    parts, length = [], 0
    for one in them:
        is_field = joined[2] == '='
        text = (joined % (one[0] if is_field else text_of(one[0], depth + 1), text_of(one[1], depth + 1)) if are_pairs or is_field
                else text_of(one, depth + 1))
        parts.append(text)
        length += len(text)
        if length > LONGEST_VALUE:
            break
    return ', '.join(parts)


def fields_of(it, names):
    for name in names:
        try:
            yield name, attribute(it, name)
        except LookupError:
            pass


def bases_of(it):
    """Returns the classes of a value, without a call of the program, as `isinstance` may be one."""
    return type.__dict__['__mro__'].__get__(type(it))


def dict_of(it):
    try:
        return object.__getattribute__(it, '__dict__')
    except AttributeError:
        return {}


UNTOLD = (type, types.ModuleType, types.FunctionType, types.BuiltinFunctionType, types.MethodType)


def note_read(execution, names, frame):
    """Notes the values of what a statement reads, before it is executed."""
    while frame.f_back and frame.f_code.co_filename in OWN:
        frame = frame.f_back
    values, of_module = [], []
    for name in names:
        first, *fields = name.split('.')
        try:
            it, name = variable(frame, first), first
            is_of_module = frame.f_locals is frame.f_globals or first not in frame.f_locals
            for field in fields:
                # What has no fields is told by its own name.
                if it is None:
                    break
                it, name = attribute(it, field), name + '.' + field
        except LookupError:
            continue
        if not any(base in UNTOLD for base in bases_of(it)):
            values.append((name, it))
            if is_of_module and name == first:
                of_module.append(name)
    write_line(run.values, [execution, of_module, all_shown(values)])


def variable(frame, name):
    for names in (frame.f_locals, frame.f_globals):
        if name in names:
            return names[name]
    raise LookupError(name)


def attribute(it, name):
    """Returns an attribute without a call of the program."""
    own = dict_of(it)
    if name in own:
        return own[name]
    bases = bases_of(it)
    for base in type.__dict__['__mro__'].__get__(it) if type in bases else bases:
        found = base.__dict__.get(name)
        if isinstance(found, types.MemberDescriptorType):
            try:
                return found.__get__(it)
            except AttributeError:
                break
        if found is not None:
            if hasattr(type(found), '__get__'):
                break
            return found
    raise LookupError(name)


# Fields in which other statements are.
BODIES = ('body', 'orelse', 'finalbody', 'handlers', 'cases')
MOST_READ, MOST_FIELDS = 12, 3


def names_read(statement):
    """Returns the names that a statement reads itself: variables, and attributes of these behind a dot."""
    names, bound = [], set()
    todo = [below for name in reversed(statement._fields) if name not in BODIES
            for below in reversed(list(listed(getattr(statement, name, None))))]
    if isinstance(statement, ast.AugAssign):
        names.append(path_of(statement.target))
    while todo:
        node = todo.pop()
        if isinstance(node, ast.Lambda):
            continue
        if isinstance(node, ast.comprehension):
            bound.update(it.id for it in nodes(node.target) if isinstance(it, ast.Name))
        path = path_of(node)
        if path is not None:
            if isinstance(node.ctx, ast.Load):
                names.append(path)
            continue
        below = list(children(node))
        if isinstance(node, ast.Call) and path_of(node.func) is not None:
            # Of what is called, only what it is an attribute of is read.
            below[:1] = [node.func.value] if isinstance(node.func, ast.Attribute) else []
        todo.extend(reversed(below))
    known = dict.fromkeys(name for name in names if name and name.split('.')[0] not in bound)
    return list(known)[:MOST_READ]


def listed(it):
    return (one for one in (it if isinstance(it, list) else (it,)) if isinstance(one, ast.AST))


def path_of(node):
    """Returns the name of a variable, or of an attribute of one."""
    fields = []
    while isinstance(node, ast.Attribute) and len(fields) < MOST_FIELDS:
        fields.append(node.attr)
        node = node.value
    return '.'.join([node.id] + fields[::-1]) if isinstance(node, ast.Name) else None


CONTROL = (ast.Return, ast.Break, ast.Continue, ast.Raise)


def nodes(node):
    """Yields a node of a syntax tree and all below it."""
    yield node
    for below in children(node):
        yield from nodes(below)


def children(node):
    for name in node._fields:
        it = getattr(node, name, None)
        for below in it if isinstance(it, list) else (it,):
            if isinstance(below, ast.AST):
                yield below


def copy_location(new, old):
    """Gives a node the place of another one."""
    for name in ('lineno', 'col_offset', 'end_lineno', 'end_col_offset'):
        if name in old._attributes and name in new._attributes and hasattr(old, name):
            setattr(new, name, getattr(old, name))
    return new


def fix_missing_locations(node, place=(1, 0, 1, 0)):
    """Gives nodes without a place that of what they are in."""
    names = ('lineno', 'col_offset', 'end_lineno', 'end_col_offset')
    todo = [(node, place)]
    while todo:
        node, place = todo.pop()
        if 'lineno' in node._attributes:
            # The ends may be missing by themselves.
            place = tuple(outer if getattr(node, name, None) is None else getattr(node, name) for name, outer in zip(names, place))
            for name, it in zip(names, place):
                setattr(node, name, it)
        todo.extend((below, place) for below in children(node))


def parsed(text, path):
    return compile(text, path, 'exec', ast.PyCF_ONLY_AST, dont_inherit=True)


class Guarding:
    """Puts guards into a module."""

    def __init__(self, file, text):
        self.file = file
        self.lines = text.split('\n')
        self.function = '<module>'
        self.on_line = {}
        self.places = []

    def statement(self, node, is_iteration):
        # Which of the statements that begin on this line: an iteration goes with its loop.
        if not is_iteration:
            self.on_line[node.lineno] = self.on_line.get(node.lineno, 0) + 1
        place = (self.file, node.lineno, self.on_line[node.lineno], is_iteration)
        number = run.number(place)
        self.places.append((place, number))
        if run.looked and not is_iteration:
            run.reads[number] = names_read(node)
        if run.described is not None:
            text = self.lines[node.lineno - 1].rstrip() if node.lineno <= len(self.lines) else ''
            write_line(run.described, [number, *place, text, self.function])
        if run.scheduler is not None:
            text = self.lines[node.lineno - 1].strip() if node.lineno <= len(self.lines) else ''
            run.scheduler.name(number, self.file, node.lineno, text.rstrip(':'))
        return number

    def call(self, name, node, *arguments):
        words = [ast.Name('_r_f', ast.Load())]
        words += [it if isinstance(it, ast.AST) else ast.Constant(it) for it in arguments]
        return copy_location(ast.Call(ast.Name(name, ast.Load()), words, []), node)

    def noting(self, node, depth, targets):
        """Returns a statement that notes what names were given, if any were."""
        names = sorted({it.id for target in targets for it in nodes(target)
                        if isinstance(it, ast.Name) and isinstance(it.ctx, ast.Store)})
        if not names or run.values is None:
            return []
        table = ast.Dict([ast.Constant(name) for name in names], [ast.Name(name, ast.Load()) for name in names])
        return [copy_location(ast.Expr(self.call('_r_v', node, depth, table)), node)]

    def body(self, statements, depth, is_active):
        return [done for it in statements for done in self.guarded(it, depth, is_active)]

    def guarded(self, it, depth, is_active):
        if isinstance(it, (ast.FunctionDef, ast.AsyncFunctionDef)):
            self.into_function(it)
            return [it]
        if isinstance(it, ast.ClassDef):
            outer = self.go_into(it.name)
            it.body = self.body(it.body, depth, False)
            self.function = outer
            return [it]
        is_text = isinstance(it, ast.Expr) and isinstance(it.value, ast.Constant)
        if not is_active or isinstance(it, NO_EVENTS) or is_text:
            # What is defined on conditions is guarded all the same.
            for name in ('body', 'orelse', 'finalbody'):
                if not is_active and getattr(it, name, None):
                    setattr(it, name, self.body(getattr(it, name), depth, False))
            for handler in getattr(it, 'handlers', []) if not is_active else []:
                handler.body = self.body(handler.body, depth, False)
            return [it]
        number = self.statement(it, False)
        below = lambda body: self.body(body, depth + 1, True)
        after = []
        if isinstance(it, LOOPS):
            iteration = self.statement(it, True)
            noting = [] if isinstance(it, ast.While) else self.noting(it, depth + 1, [it.target])
            inner = noting + self.body(it.body, depth + 2, True)
            it.body = [copy_location(ast.If(self.call('_r_k', it, iteration, depth + 1), inner, []), it)]
            it.orelse = below(it.orelse)
        elif isinstance(it, ast.If):
            it.body, it.orelse = below(it.body), below(it.orelse)
        elif isinstance(it, (ast.With, ast.AsyncWith)):
            it.body = below(it.body)
        elif isinstance(it, TRIES):
            it.body, it.orelse, it.finalbody = below(it.body), below(it.orelse), below(it.finalbody)
            for handler in it.handlers:
                handler.body = below(handler.body)
        elif type(it).__name__ == 'Match':
            for case in it.cases:
                case.body = below(case.body)
        elif isinstance(it, (ast.Assign, ast.AugAssign, ast.AnnAssign)) and getattr(it, 'value', None):
            after = self.noting(it, depth, getattr(it, 'targets', None) or [it.target])
        return [copy_location(ast.If(self.call('_r_k', it, number, depth), [it] + after, []), it)]

    def go_into(self, name):
        """Goes into a function or class. Returns which one it is in."""
        outer = self.function
        self.function = name if outer == '<module>' else outer + '.' + name
        return outer

    def into_function(self, it):
        outer = self.go_into(it.name)
        has_text = isinstance(it.body[0], ast.Expr) and isinstance(it.body[0].value, ast.Constant)
        head, rest = (it.body[:1], it.body[1:]) if has_text else ([], it.body)
        if rest:
            first, last = rest[0], rest[-1]
            body = self.body(rest, 0, True)
            it.body = head + [self.entering(first), self.leaving(body, last)]
        self.function = outer

    @staticmethod
    def entering(node):
        call = ast.Call(ast.Name('_r_enter', ast.Load()), [], [])
        return copy_location(ast.Assign([ast.Name('_r_f', ast.Store())], call), node)

    def leaving(self, body, node):
        leaves = copy_location(ast.Expr(self.call('_r_leave', node)), node)
        return copy_location(ast.Try(body, [], [], [leaves]), node)


class Following(Guarding):
    """Puts guards into a module so that control goes as it was recorded (Cleve and Zeller 2000): what is within a condition or a
    loop belongs to the function, and can be executed without it."""

    def guarded(self, it, depth, is_active):
        if not is_active:
            return super().guarded(it, depth, is_active)
        at = lambda made: copy_location(made, it)
        same = lambda body: self.body(body, depth, True)
        if isinstance(it, CONTROL):
            return [at(ast.Expr(self.call('_r_always', it, self.statement(it, False), depth))), it]
        if isinstance(it, (ast.If, ast.While)):
            it.test = self.followed(it, depth)
            it.body, it.orelse = same(it.body), same(it.orelse)
            return [it]
        if isinstance(it, ast.For) and not it.orelse:
            # for x in y: z   is   if kept: begin(y)   and   while advance(): if advanced(): x = taken() ... z
            number = self.statement(it, False)
            start = at(ast.Expr(self.call('_r_begin', it, number, it.iter)))
            first = at(ast.If(self.call('_r_k', it, number, depth), [start], []))
            further = self.statement(it, True)
            taken = at(ast.Assign([it.target], self.call('_r_taken', it, number)))
            step = at(ast.If(self.call('_r_advanced', it, number), [taken] + self.noting(it, depth, [it.target]), []))
            test = self.call('_r_advance', it, number, further, depth)
            return [first, at(ast.While(test, [step] + same(it.body), []))]
        if isinstance(it, TRIES):
            it.body, it.orelse, it.finalbody = same(it.body), same(it.orelse), same(it.finalbody)
            for handler in it.handlers:
                handler.body = same(handler.body)
            return [it]
        return super().guarded(it, depth, is_active)

    def followed(self, it, depth):
        """Returns the condition that goes as it was recorded: `direction(f, *condition(..), test)`, which evaluates the test only
        if that is executed."""
        asks = self.call('_r_condition', it, self.statement(it, False), depth)
        name = '_r_c%d' % depth
        # The condition is evaluated in the place where it stands, so that it can assign and wait.
        asked = copy_location(ast.NamedExpr(ast.Name(name, ast.Store()), asks), it)
        kept = copy_location(ast.Subscript(asked, constant_index(0), ast.Load()), it)
        number = copy_location(ast.Subscript(ast.Name(name, ast.Load()), constant_index(1), ast.Load()), it)
        test = copy_location(ast.BoolOp(ast.And(), [kept, it.test]), it)
        # Arguments are evaluated in their order: the condition before the number of its execution.
        return self.call('_r_d', it, test, number)


def constant_index(at):
    return ast.Constant(at) if sys.version_info >= (3, 9) else ast.Index(ast.Constant(at))


def named(path):
    """Returns a path as the plan has it: below the current folder, it is relative."""
    path = os.path.abspath(path)
    here = os.getcwd().rstrip('/') + '/'
    name = path[len(here):] if path.startswith(here) else path
    return name.encode('utf-8', 'replace').decode()


def instrumented(text, path, is_main):
    """Returns the code of a module with guards; of one that cannot have them, as it is."""
    digest, code = run.made.get((path, is_main), (None, None))
    if code is not None and digest == source_hash(text):
        return marshal.loads(code) if type(code) is bytes else code
    tree = parsed(text, path)
    guarding = (Following if run.follows else Guarding)(named(path), text if isinstance(text, str) else text.decode('utf-8', 'replace'))
    head = 0
    while head < len(tree.body) and (
            isinstance(tree.body[head], ast.ImportFrom) and tree.body[head].module == '__future__'
            or isinstance(tree.body[head], ast.Expr) and isinstance(tree.body[head].value, ast.Constant)):
        head += 1
    body = guarding.body(tree.body[head:], 0, is_main)
    if is_main and body:
        body = [guarding.entering(tree.body[head])] + body
    tree.body = tree.body[:head] + body
    fix_missing_locations(tree)
    try:
        code = compile(tree, path, 'exec', dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError):
        code = compile(text, path, 'exec', dont_inherit=True)
    if run.making is not None:
        kept = marshal.dumps(code) if compiles_silently(text, path) else None
        os.write(run.making, marshal.dumps((path, is_main, source_hash(text), guarding.places, kept)))
    return code


def source_hash(text):
    return _imp.source_hash(0, text if isinstance(text, bytes) else text.encode('utf-8', 'surrogatepass'))


def compiles_silently(text, path):
    """Returns whether Python warns of nothing in a text: what is compiled already is not warned of."""
    filters = getattr(sys.modules.get('warnings'), 'filters', None) or getattr(_warnings, 'filters', None)
    changed = getattr(_warnings, '_filters_mutated', None)
    if filters is None or changed is None:
        return False
    filters.insert(0, ('error', None, Warning, None, 0))
    changed()
    try:
        compile(text, path, 'exec', dont_inherit=True)
        return True
    except Exception:
        return False
    finally:
        del filters[0]
        changed()


def read_made(file):
    """Reads the code that a recorded run has made. Numbers of statements are those that are in it."""
    with file:
        while True:
            try:
                path, is_main, digest, places, code = marshal.load(file)
            except (EOFError, ValueError, TypeError):
                # It is cut off: what is missing is made again.
                return
            if code is not None:
                run.made[(path, is_main)] = (digest, code)
            for place, number in places:
                run.statements[place] = number
                run.numbers = max(run.numbers, number)


class Loader(importlib.machinery.SourceFileLoader):
    def get_code(self, name):
        path = self.get_filename(name)
        return instrumented(self.get_data(path), path, False)

    def exec_module(self, module):
        if run.scheduler is None:
            return super().exec_module(module)
        # Others may wait for the module: it is imported in one go.
        run.scheduler.importing += 1
        try:
            super().exec_module(module)
        finally:
            run.scheduler.importing -= 1


class Finder:
    """Finds the modules of the user: those below the folders that are looked into."""

    def __init__(self, instructions):
        paths = [os.path.realpath(path) for path in instructions['into']]
        self.files = set(path for path in paths if os.path.isfile(path))
        self.into = [path.rstrip('/') + '/' for path in paths if path not in self.files]
        self.not_into = ['/site-packages/', '/dist-packages/', os.path.dirname(os.__file__) + '/']

    def is_looked_into(self, path):
        real = os.path.realpath(path)
        if real in self.files:
            return True
        best = max((len(folder) for folder in self.into if real.startswith(folder)), default=0)
        # A folder that is named counts, even if it is one of those that are not.
        rest = real[best:] if best else ''
        return bool(best) and not any(folder in '/' + rest or real.startswith(folder) and len(folder) > best
                                      for folder in self.not_into)

    def find_spec(self, name, path, target=None):
        spec = importlib.machinery.PathFinder.find_spec(name, path, target)
        is_source = spec and spec.origin and spec.origin.endswith('.py')
        if is_source and type(spec.loader) is importlib.machinery.SourceFileLoader and self.is_looked_into(spec.origin):
            spec.loader = Loader(name, spec.origin)
            return spec
        return None


def read_plan(instructions):
    """Reads the record, and which of it is kept."""
    run.known, run.kept = {}, set()
    plan = read_json(instructions['known'])
    places = [run.number(tuple(place)) for place in plan['places']]
    for parent, place, count, number in plan['known']:
        run.known[(parent, places[place], count)] = number
    run.kept.update(plan['kept'])
    depths = {0: 0}
    run.directions.update((number, bool(goes)) for number, goes in plan['directions'])
    for (parent, _, _), number in run.known.items():
        depths[number] = depths.get(parent, 0) + 1
    run.depths = [depths.get(number, 0) for number in range(max(max(depths), run.taken) + 1)]


def main_module(finder, words):
    """Readies the main module. Returns its code and its globals."""
    module = types.ModuleType('__main__')
    # With -I and -P, the folder of a script is not on the path.
    is_on_path = sys.path[0] == os.path.dirname(os.path.realpath(__file__))
    if words[0] == '-m':
        if is_on_path:
            sys.path[0] = os.getcwd()
        import runpy
        try:
            _, spec, _ = runpy._get_module_details(words[1])
        except Exception as error:
            give_up('%s cannot be run as a module: %s' % (words[1], error))
        path, module.__spec__ = spec.origin, spec
        module.__package__ = spec.parent
        sys.argv = [path] + words[2:]
    else:
        path = words[0]
        if is_on_path:
            sys.path[0] = os.path.dirname(os.path.realpath(path))
        if sys.version_info >= (3, 9):
            path = os.path.join(os.getcwd(), path)
        sys.argv = words
    if hasattr(sys, 'orig_argv'):
        sys.orig_argv[sys.orig_argv.index(__file__):] = words
    module.__file__ = path
    module.__cached__ = None
    module.__builtins__ = builtins
    module.__loader__ = importlib.machinery.SourceFileLoader('__main__', path)
    sys.modules['__main__'] = module
    with open(path, 'rb') as file:
        text = file.read()
    preset(module.__dict__, text, path)
    code = instrumented(text, path, True) if finder.is_looked_into(path) else compile(text, path, 'exec', dont_inherit=True)
    return code, module.__dict__


def preset(names, text, path):
    """Gives the variables of the main module a value, if they are to have one before they get their own."""
    if run.unset is not None:
        for statement in parsed(text, path).body:
            for it in nodes(statement):
                if isinstance(it, ast.Name) and isinstance(it.ctx, ast.Store):
                    names.setdefault(it.id, literal_eval(run.unset))


def without_driver(trace):
    """Returns a traceback without the calls of this file, at its beginning and at its end."""
    while trace and trace.tb_frame.f_code.co_filename in OWN:
        trace = trace.tb_next
    at = trace
    while at and at.tb_next:
        if at.tb_next.tb_frame.f_code.co_filename in OWN:
            at.tb_next = None
        at = at.tb_next
    return trace


def in_child():
    """A child process does all that it does: it is a part of the execution that makes it."""
    run.deepest = 0
    run.limit = sys.maxsize


def at_the_very_end():
    """Python takes from the builtins what was put there, before it removes the last objects: it has a copy from its start. Their
    `__del__` is guarded, too. It is a part of no execution, and does all that it does."""
    in_child()
    own = {name: it for name, it in vars(builtins).items() if name.startswith('_r_')}
    for it in gc.get_objects():
        if type(it) is dict and it is not vars(builtins) and it.get('__build_class__') is builtins.__build_class__:
            it.update(own)


def go(instructions, words):
    finder = Finder(instructions)
    sys.meta_path.insert(0, finder)
    # What was registered first is called last.
    atexit.register(at_the_very_end)
    for name, it in (('_r_enter', enter), ('_r_leave', leave), ('_r_k', guard), ('_r_v', value), ('_r_always', always),
                     ('_r_condition', condition), ('_r_d', lambda frame, holds, asked: direction(frame, asked, bool(holds))),
                     ('_r_begin', begin), ('_r_advance', advance), ('_r_advanced', advanced), ('_r_taken', taken)):
        setattr(builtins, name, it)
    os.register_at_fork(after_in_child=in_child)
    if run.scheduler is not None:
        builtins._r_enter, builtins._r_leave, builtins._r_k = lambda: None, lambda frame: None, run.scheduler.guard
    if run.record:
        atexit.register(run.record.close)
    try:
        code, names = main_module(finder, words)
        exec(code, names)
    except SystemExit:
        raise
    except BaseException as error:
        trace = without_driver(error.__traceback__)
        sys.excepthook(type(error), error.with_traceback(trace), trace)
        if isinstance(error, KeyboardInterrupt):
            raise SystemExit(130)
        raise SystemExit(1)


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


class Server:
    """Forks a process for each run, which goes on with the program. This one never does: it holds what is the same in all of them, the
    record and the code with guards."""

    def __init__(self, instructions):
        import _socket
        self.socket = _socket.socket(fileno=instructions['socket'])
        self.receive = lambda: self.socket.recvmsg(1, _socket.CMSG_SPACE(EVENT.size))
        self.plan = instructions['plan']
        self.times = {line.encode(): time for line, time in instructions['lines']}
        self.files = instructions['files']
        self.notes, _ = self.read_plan()
        self.seen = self.look()

    def read_plan(self):
        """Returns the notes of the plan that is to be run now, and which executions it keeps."""
        notes, kept = [], set()
        with open(self.plan, 'rb') as file:
            for line in file.read().split(b'\n'):
                if line.startswith(b'#'):
                    notes.append(line)
                elif line.strip(b' '):
                    kept.add(self.times[line.lstrip(b' ')])
        return notes, kept

    def look(self):
        """Returns what tells whether a file of the program was changed."""
        about = [os.stat(file) for file in self.files]
        return [(it.st_dev, it.st_ino, it.st_mode, it.st_size, it.st_mtime_ns, it.st_ctime_ns) for it in about]

    def go(self):
        """Forks one process after the other. Returns in each of them."""
        # What was started or opened before the program, each run would share: threads; files besides input, outputs, the socket and the list.
        if self.may_differ() or len(os.listdir('/proc/self/task')) > 1 or len(os.listdir('/proc/self/fd')) > 5:
            os._exit(0)
        run.made = {file: (digest, marshal.loads(code)) for file, (digest, code) in run.made.items()}
        self.socket.sendall(struct.pack('<i', os.getpid()))
        while True:
            message, with_it, _, _ = self.receive()
            if not message:
                os._exit(0)
            outputs = struct.unpack('ii', with_it[0][2])
            # If these fail, or something is another, nobody is told: the run is started as otherwise, and says what is wrong.
            notes, run.kept = self.read_plan()
            if notes != self.notes or self.look() != self.seen:
                os._exit(0)
            if self.fork(outputs):
                return
            for output in outputs:
                os.close(output)

    @staticmethod
    def may_differ():
        """Returns whether another process would have other hashes of strings."""
        seed = None if sys.flags.ignore_environment else os.environ.get('PYTHONHASHSEED')
        # -R counts for more than the variable.
        with open('/proc/self/cmdline', 'rb') as file:
            is_asked = any(word[:1] == b'-' and b'R' in word for word in file.read().split(b'\0'))
        return sys.flags.hash_randomization and (not seed or seed == 'random' or is_asked)

    def fork(self, outputs):
        """Forks a run. Returns whether this is it."""
        told, tells = os.pipe()
        between = os.fork()
        if not between:
            test = os.fork()
            if not test:
                self.become_run(told, tells, outputs)
                return True
            try:
                os.setpgid(test, test)
            except OSError:
                # It is over.
                pass
            self.socket.sendall(struct.pack('<i', test))
            os._exit(0)
        os.waitpid(between, 0)
        os.close(tells)
        os.close(told)
        self.socket.sendall(b'.')
        return False

    def become_run(self, told, tells, outputs):
        """Gives this process what it would have if it had been started now."""
        os.close(tells)
        # Until it is an orphan: its parent is the one that all tests have.
        os.read(told, 1)
        os.close(told)
        self.socket.close()
        for output, number in zip(outputs, (1, 2)):
            os.dup2(output, number)
            os.close(output)
        run.pid = os.getpid()


def forget_own_modules():
    """Lets the program import what it would: what only the driver has imported may be hidden by files of the program."""
    for name in set(sys.modules) - AT_THE_START:
        del sys.modules[name]


instructions = read_json(sys.argv[1])
if any(instructions.get(name) for name in ('record', 'values', 'look')):
    import json
if any(instructions.get(name) is not None for name in ('unset', 'change')):
    from ast import literal_eval
run = Run(instructions)
if run.making is not None:
    key = (sys.version, sys.flags.optimize, DRIVER, run.follows)
    os.write(run.making, marshal.dumps(key) + marshal.dumps(sys._getframe().f_code))
if MADE and run.described is None and not instructions.get('schedule'):
    read_made(MADE)
elif MADE:
    MADE.close()
if instructions.get('known'):
    read_plan(instructions)
threads = os.path.join(os.path.dirname(__file__), 'threads.py') if instructions.get('schedule') else None
own_files = [__file__, SOURCE, sys.argv[1], instructions.get('known'), threads]
if threads:
    with open(threads) as file:
        threads = compile(file.read(), OWN[-1], 'exec')
remove_own_files([path for path in own_files if path])
server = Server(instructions['forks']) if instructions.get('forks') else None
forget_own_modules()
if server is not None:
    server.go()
if threads:
    # After that: it changes modules that the program imports.
    names = {'__name__': 'reduct_threads', 'instructions': instructions, 'give_up': give_up, 'created': created}
    exec(threads, names)
    run.scheduler = names['scheduler']
    run.scheduler.folder = os.path.join(os.path.dirname(os.path.join(os.getcwd(), sys.argv[2])), '')
go(instructions, sys.argv[2:])
