#!/usr/bin/env bash
# Fetches five released packages with a bug each, and writes a program beside each that shows it. Usage: fetch.sh FOLDER
set -eu
mkdir -p "$1"
cd "$1"
get() { python3 -m pip install -q --no-deps --target "$1/packages" "$2"; }
get toml toml==0.10.2
get chevron chevron==0.13.1
get hjson hjson==3.0.1
get tabulate tabulate==0.8.10
get num2words num2words==0.5.6

cat > toml/config.toml <<'END'
title = "TOML Example"
[owner]
name = "Tom"
dob = 1979-05-27T07:32:00Z
[database]
server = "192.168.1.1"
ports = [ 8001, 8001, 8002 ]
data = [ ["gamma", "delta"], [1, 2] ]
enabled = true
[servers.alpha]
ip = "10.0.0.1"
point = { x = 1, y =  }
text = """
multi \
line"""
END
cat > toml/prog.py <<'END'
import sys
sys.path.insert(0, 'packages')
import toml
config = toml.loads(open('config.toml').read())
print(config['owner'])
END
cat > chevron/prog.py <<'END'
import sys
sys.path.insert(0, 'packages')
import chevron
people = [{'name': 'Ann', 'age': 7}, {'name': 'Bob', 'age': 9}]
template = '{{title}}\n{{#people}}\n* {{name}} ({{age}})\n{{/people}}\n{{! the end }}{{}}\n'
print(chevron.render(template, {'title': 'People', 'people': people}))
END
cat > hjson/prog.py <<'END'
import sys
sys.path.insert(0, 'packages')
import hjson
text = '{\n  # settings\n  name: a tool\n  sizes: [1, 2, 3]\n  deep: {on: true, off: null}\n}\n/* the end'
print(hjson.loads(text))
END
cat > tabulate/prog.py <<'END'
import sys
sys.path.insert(0, 'packages')
from tabulate import tabulate
rows = [['pen', 'a thing to write with', 3], ['ink', None, 5], ['cap', 'a thing to lose', 1]]
print(tabulate(rows, headers=['name', 'what it is', 'price'], maxcolwidths=[None, 12, None]))
END
cat > num2words/prog.py <<'END'
import sys
sys.path.insert(0, 'packages')
from num2words import num2words
for number in (12, 3.25, -0.4):
    print(num2words(number))
END
