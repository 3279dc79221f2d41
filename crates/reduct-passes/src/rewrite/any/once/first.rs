//! What assigns the first of a list, or of what an iterator gives, in a few languages.

use super::is_single;

/// Returns the statement that assigns the first of a list to what a loop assigns each to; `None` if it is not known how.
pub(super) fn first_of(language: &str, name: &str, list: &str) -> Option<String> {
    let several = |name: &str| if name.contains(',') { format!("({name})") } else { name.to_owned() };
    match language {
        "python" => Some(format!("{},*_={list}", several(name))),
        "ruby" => Some(format!("{},=*{list}", several(name))),
        "lua" => is_single(list).then(|| {
            let table = ["pairs(", "ipairs("].iter().find_map(|call| list.strip_prefix(call)?.strip_suffix(')'));
            table.map_or_else(|| format!("local {name}={list}()"), |table| format!("local {name}=next({table})"))
        }),
        "php" => (name.starts_with('$') && !name.contains("=>")).then(|| format!("[{name}]={list}")),
        "javascript" | "typescript" | "tsx" => {
            let word = ["let ", "const ", "var "].into_iter().find(|word| name.starts_with(word)).unwrap_or_default();
            Some(format!("{}[{}]={list}", word.trim_end(), &name[word.len()..]))
        }
        "go" => {
            let name = name.strip_prefix('_')?.trim_start().strip_prefix(',')?.trim_start();
            Some(format!("{name}:={list}[0]"))
        }
        _ => None,
    }
}
