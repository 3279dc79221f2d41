#!/bin/sh
# make.sh FOLDER: makes a case for `cargo xtask bench cases` in FOLDER: the headers of the C++ library, preprocessed by the g++ of
# this machine (3 MB), with a class template that must stay in a program that must compile. Nothing is fetched.
set -eu
[ $# = 1 ] || { echo "make.sh FOLDER" >&2; exit 2; }
mkdir -p "$1"
cd "$1"
cat > program.cpp <<'END'
#include <bits/stdc++.h>
#include <regex>

template <typename Key, typename Value> class Registry {
    std::map<Key, std::vector<Value>> values;

  public:
    void add(const Key &key, Value value) { values[key].push_back(std::move(value)); }
    std::size_t count(const Key &key) const {
        auto found = values.find(key);
        return found == values.end() ? 0 : found->second.size();
    }
};

int main(int argc, char **argv) {
    Registry<std::string, int> lengths;
    std::regex word("[a-z]+");
    for (int i = 1; i < argc; i++)
        if (std::regex_match(argv[i], word))
            lengths.add(argv[i], i);
    return lengths.count("reduct") > 1;
}
END
g++ -std=c++17 -E -P program.cpp > case.cpp
rm program.cpp
cat > interesting.sh <<'END'
#!/bin/sh
# exit 0 iff the candidate ($1, or case.cpp in the current folder) compiles and declares the class template
f=${1:-case.cpp}
tr -s '[:space:]' ' ' < "$f" | grep -Eq 'template ?<[^<>]*> ?class Registry\b' || exit 1
exec timeout 60 g++ -std=c++17 -w -fsyntax-only "$f" 2> /dev/null
END
chmod +x interesting.sh
cat > case.toml <<END
name = "large"
language = "C++"
file = "case.cpp"
tool = "$(g++ --version | head -n 1)"
bytes = $(wc -c < case.cpp)
END
