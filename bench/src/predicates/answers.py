"""Answers questions about syntax, one after the other: "NAME LENGTH\n" and as many bytes in, "1" or "0" out."""

import ast
import json
import sys
import warnings

warnings.simplefilter("ignore")


def compiles(data):
    compile(data, "candidate", "exec")
    return True


def sentinel(data):
    return b"SENTINEL_KEEP" in data and compiles(data)


def matching(data):
    return all(word in data for word in (b"match ", b"case ", b"Union[", b"tuple[")) and compiles(data)


def metaclass(data):
    """A class names a base twice, and a class has a metaclass."""
    classes = [node for node in ast.walk(ast.parse(data)) if isinstance(node, ast.ClassDef)]
    bases = [[ast.dump(base) for base in one.bases] for one in classes]
    return any(len(set(names)) < len(names) for names in bases) and any(
        keyword.arg == "metaclass" for one in classes for keyword in one.keywords
    )


def depth(value):
    """How deep lists and objects are nested; a plain value counts one."""
    deepest, level = 0, [value]
    while level:
        deepest += 1
        inner = []
        for one in level:
            if isinstance(one, dict):
                inner += one.values()
            elif isinstance(one, list):
                inner += one
        level = inner
    return deepest


def nested(data):
    return depth(json.loads(data)) >= 20


def counted(data):
    """The count of events is that of the events, one of which is a crash."""
    log = json.loads(data)
    events = log["events"]
    crash = any(isinstance(event, dict) and event.get("type") == "crash" for event in events)
    return isinstance(events, list) and crash and log.get("event_count") == len(events)


def summed(data):
    """The last total is the sum of all entries, one of which is the corrupted job."""
    total, entries = None, []
    for line in data.decode("utf-8").splitlines():
        words = line.split()
        if len(words) == 3 and words[0] == "ENTRY":
            entries.append((words[1], int(words[2])))
        elif len(words) == 2 and words[0] == "TOTAL":
            total = int(words[1])
    return any(name == "job-corrupted" for name, _ in entries) and total == sum(value for _, value in entries)


def called(data):
    """The sentinel is in a function that is called, and each call of a function has as many arguments as it takes."""
    tree = ast.parse(data.decode("utf-8"))
    takes, holder = {}, None
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            args = node.args
            if args.vararg or args.kwarg or args.kwonlyargs or args.defaults:
                return False
            takes[node.name] = len(args.args)
            if "MAGIC_SENTINEL" in ast.dump(node):
                holder = node.name
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in takes:
            if node.keywords or len(node.args) != takes[node.func.id]:
                return False
            names.add(node.func.id)
    return holder is not None and holder in names


def go(data):
    """Go without an error of syntax, as tree-sitter reads it."""
    if b"~bool" not in data or b"==" not in data:
        return False
    return not go.parser.parse(data).root_node.has_error


def main():
    answers = {f.__name__: f for f in (sentinel, matching, metaclass, nested, counted, summed, called, go)}
    if sys.argv[1:] == ["go"]:
        import tree_sitter
        import tree_sitter_go

        go.parser = tree_sitter.Parser(tree_sitter.Language(tree_sitter_go.language()))
    requests = sys.stdin.buffer
    while header := requests.readline():
        name, length = header.split()
        data = requests.read(int(length))
        try:
            yes = answers[name.decode()](data)
        except Exception:
            yes = False
        sys.stdout.write("1" if yes else "0")
        sys.stdout.flush()


main()
