#!/usr/bin/env bash
# Fetches two released programs with a race each, which a later release has mended, and writes what shows it. Usage: races.sh FOLDER
set -eu
mkdir -p "$1"
cd "$1"

# pbzip2 0.9.4 as it was released, from a collection of concurrency bugs; needs g++ and the headers of libbz2.
mkdir -p pbzip2
bugs=${CONCURRENCY_BUGS:-https://github.com/jieyu/concurrency-bugs}
[ -d pbzip2/bugs ] || git clone -q --no-checkout --filter=blob:none "$bugs" pbzip2/bugs
git -C pbzip2/bugs show HEAD:pbzip2-0.9.4/pbzip2-0.9.4.tar.gz | tar -xz -C pbzip2 --strip-components 1
git -C pbzip2/bugs show HEAD:pbzip2-0.9.4/test.tar | head -c 20000 > pbzip2/input.dat
large='-D_LARGEFILE64_SOURCE -D_FILE_OFFSET_BITS=64'
g++ -g -O0 -w $large -fsanitize=thread pbzip2/pbzip2.cpp -o pbzip2/pbzip2 -lbz2 -lpthread

# The pool of connections of redis, without the lock and with it. No server is needed.
for version in 2.10.6 3.4.0; do
    python3 -m pip install -q --no-deps --target "redis-$version/packages" "redis==$version"
    cat > "redis-$version/pool.py" <<'END'
import sys
import threading

sys.path.insert(0, 'packages')
from redis import Connection, ConnectionError, ConnectionPool


class Offline(Connection):
    def connect(self):
        pass

    def can_read(self, timeout=0):
        return False


pool = ConnectionPool(connection_class=Offline, max_connections=1)
held = []


def client():
    try:
        held.append(pool.get_connection('PING'))
    except ConnectionError:
        pass  # The other thread has the only one.


clients = [threading.Thread(target=client) for _ in range(2)]
for thread in clients:
    thread.start()
for thread in clients:
    thread.join()
if len(held) > pool.max_connections:
    sys.exit('error: %d connections, of at most %d' % (len(held), pool.max_connections))
print('%d connection' % len(held))
END
done
