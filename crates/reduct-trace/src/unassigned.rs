//! Variables that are read in what is left of a run, while only what was left out assigns them.
//!
//! In many languages, such a variable is no error: it is undefined, null or zero. Then what is left may fail for another reason than the whole
//! run, and what gave the variable its value is not in it. Texts of statements say what may be such a variable; what was assigned in both
//! runs decides. A parameter, or a variable of another function, may have a value without any assignment: so nothing is said of a variable
//! unless the function seems to give it its first value, before anything else in it reads it.

use crate::plan::{Execution, ExecutionPlan, Place};
use crate::recording::Statement;
use crate::run_values::ValuesByTime;
use std::collections::{BTreeMap, HashMap, HashSet};

/// What drivers call the function of statements that are in none.
const MODULE: &str = "<module>";

/// A variable that is read, and that nothing of what is left assigns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unassigned {
    /// Its name.
    pub name: String,
    /// Where it is read.
    pub read: Place,
    /// What assigned it last before that in the whole run, and is left out.
    pub assigned: Place,
}

/// The places of a run: an execution of each, and the times of all.
type Places<'a> = BTreeMap<&'a Place, (&'a Execution, Vec<u32>)>;

/// What is left of a run.
pub struct Leftover<'a> {
    /// The language, as plans have it.
    pub language: &'a str,
    /// What was recorded.
    pub whole: &'a ExecutionPlan,
    /// What is left of it.
    pub left: &'a ExecutionPlan,
    /// The statements.
    pub statements: &'a HashMap<Place, Statement>,
    /// What was assigned in the run of what is left.
    pub values: &'a ValuesByTime,
    /// The texts of files: what declares a variable without a value is no statement.
    pub sources: &'a HashMap<String, String>,
}

impl Leftover<'_> {
    /// Returns the variables that are read without a value, as far as texts say: by the last execution that is left, and those that it
    /// belongs to. What assigned them is not known without the values of the whole run.
    ///
    /// Nothing is claimed of Python, where that is an error, nor of a run that was not recorded as a whole.
    pub fn likely(&self) -> Vec<Unassigned> {
        if self.language == "python" || self.whole.about.deepest.is_some() || self.left.about.record.is_some() {
            return vec![];
        }
        let mut places = Places::new();
        for event in self.whole.events() {
            places.entry(&event.place).or_insert((event, vec![])).1.push(event.time);
        }
        let mut found: Vec<Unassigned> = vec![];
        for event in self.under_way() {
            let Some(statement) = self.alone_on_its_line(&event.place, &places) else { continue };
            for name in names_read(&statement.text, self.language) {
                let is_known = found.iter().any(|it| it.name == name);
                if !is_known && !self.is_assigned(&name, statement) && self.is_of_function(&name, statement, &places) {
                    found.extend(self.assigned_before(&name, (event, statement), &places));
                }
            }
        }
        found
    }

    /// Returns those of the likely ones that a run of the whole plan has shown to be assigned where they seem to be.
    pub fn shown(&self, likely: Vec<Unassigned>, of_whole: &ValuesByTime) -> Vec<Unassigned> {
        let is_shown = |it: &Unassigned| {
            let mut there = self.whole.events().iter().filter(|event| event.place == it.assigned);
            there.any(|event| of_whole.get(&event.time).into_iter().flatten().any(|(name, _)| *name == it.name))
        };
        likely.into_iter().filter(is_shown).collect()
    }

    /// Returns the last execution that is left, and those that it belongs to.
    fn under_way(&self) -> Vec<&Execution> {
        let by_time: HashMap<u32, &Execution> = self.left.events().iter().map(|event| (event.time, event)).collect();
        let last = self.left.events().iter().max_by_key(|event| event.time);
        let outer = |event: &&Execution| by_time.get(&event.parent?).copied();
        let mut known = HashSet::new();
        // Of a recursion, each statement once.
        std::iter::successors(last, outer).filter(|it| !it.place.is_iteration && known.insert(&it.place)).collect()
    }

    /// Returns a statement of which the line holds nothing else that was executed: of others, the line does not tell what is read.
    fn alone_on_its_line(&self, place: &Place, places: &Places<'_>) -> Option<&Statement> {
        let is_on_it = |other: &&&Place| (&other.file, other.line) == (&place.file, place.line);
        let is_alone = places.keys().filter(is_on_it).all(|other| other.nth == place.nth);
        self.statements.get(place).filter(|_| is_alone)
    }

    fn is_in_function(&self, place: &Place, of: &Statement) -> bool {
        let found = self.statements.get(place).map(|it| it.function.as_str());
        place.file == of.place.file && found == Some(of.function.as_str())
    }

    /// Returns whether something that is left, in any function, assigns a variable, or may do so. The reading statement counts if it has.
    fn is_assigned(&self, name: &str, read: &Statement) -> bool {
        let mut looked_at = HashSet::new();
        self.left.events().iter().any(|event| {
            let mut values = self.values.get(&event.time).into_iter().flatten();
            let is_noted = values.any(|(of, _)| {
                of.strip_prefix(name).is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
            });
            let text = &event.text;
            let may = || event.place != read.place && may_assign(text, name);
            is_noted || (looked_at.insert(&event.place) && may())
        })
    }

    /// Returns whether a variable seems to have got its first value in the function of a statement: of what has its name there, the first one
    /// in the whole run assigns it, and does not read it. Where variables are declared by a word, a function declares its own.
    fn is_of_function(&self, name: &str, of: &Statement, places: &Places<'_>) -> bool {
        let in_function = || places.iter().filter(|(place, _)| self.is_in_function(place, of)).map(|(_, it)| it);
        let has_words = matches!(self.language, "javascript" | "lua" | "perl");
        let is_declared = || in_function().any(|(event, _)| declares(&event.text, name)) || self.has_line(name, of);
        let named = in_function().filter(|(event, _)| count(&event.text, name) > 0);
        let named = named.filter(|(event, _)| !(event.text.find('=').is_none() && declares(&event.text, name)));
        let first = named.filter_map(|(event, times)| Some((*times.iter().min()?, &event.text))).min();
        let is_given = first.is_some_and(|(_, text)| assigns_anew(text, name, self.language));
        is_given && (!has_words || of.function == MODULE || is_declared())
    }

    /// Returns whether a line declares a variable without a value, between the statements of the function of a statement, or above the first
    /// one with no head of a function in between.
    fn has_line(&self, name: &str, of: &Statement) -> bool {
        let own = || {
            self.statements.values().filter(|it| self.is_in_function(&it.place, of)).map(|it| it.place.line as usize)
        };
        let (Some(text), Some(first), Some(last)) = (self.sources.get(&of.place.file), own().min(), own().max()) else {
            return false;
        };
        let have = |lines: &[&str], signs: &[&str]| lines.iter().any(|line| signs.iter().any(|it| line.contains(it)));
        let lines: Vec<&str> = text.lines().collect();
        lines.iter().enumerate().take(last).any(|(at, line)| {
            let between = lines.get(at + 1..first).unwrap_or_default();
            let above = between.split_last().map_or(between, |(_, above)| above);
            let is_apart = have(between, &["function", "=>", "sub "]) || have(above, &["{"]);
            !line.contains('=') && declares(line, name) && !is_apart
        })
    }

    /// Returns what seems to have assigned a variable last before an execution, and is left out.
    fn assigned_before(
        &self,
        name: &str,
        (read, statement): (&Execution, &Statement),
        places: &Places<'_>,
    ) -> Option<Unassigned> {
        let is_meant = |event: &Execution| {
            event.place != read.place && may_assign(&event.text, name) && self.is_in_function(&event.place, statement)
        };
        let last_time = |times: &[u32]| times.iter().copied().filter(|time| *time < read.time).max();
        let before = places.values().filter(|(event, _)| is_meant(event));
        let before = before.filter_map(|(event, times)| Some((last_time(times)?, *event)));
        let (_, last) = before.max_by_key(|(time, _)| *time)?;
        Some(Unassigned { name: name.to_owned(), read: read.place.clone(), assigned: last.place.clone() })
    }
}

fn is_of_name(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '$' | '@')
}

/// Returns the text of a statement without what stands in quotes, and without the comment at its end.
fn plain(text: &str, language: &str) -> String {
    let comment = match language {
        "lua" => "--",
        "ruby" | "perl" => "#",
        _ => "//",
    };
    let (mut plain, mut quote, mut rest) = (String::new(), None, text);
    while let Some(c) = rest.chars().next() {
        let size = match quote {
            _ if c == '\\' => 1 + rest[1..].chars().next().map_or(0, char::len_utf8),
            Some(open) if c == open => {
                quote = None;
                c.len_utf8()
            }
            Some(_) => c.len_utf8(),
            None if rest.starts_with(comment) => break,
            None => {
                if matches!(c, '"' | '\'' | '`') {
                    quote = Some(c);
                    plain.push('"');
                } else {
                    plain.push(c);
                }
                c.len_utf8()
            }
        };
        rest = &rest[size..];
    }
    plain
}

/// Returns where a plain assignment has its sign, if what stands before it are names only: so much of the text is written rather than read.
fn written(plain: &str) -> usize {
    let Some(at) = plain.find('=') else { return 0 };
    let (before, behind) = (&plain[..at], &plain[at + 1..]);
    let is_plain = !behind.starts_with(['=', '>', '~']) && !before.ends_with(['<', '>']);
    let before = before.strip_suffix(':').unwrap_or(before);
    let has_names_only = before.chars().all(|c| is_of_name(c) || " ,[](){}<>".contains(c));
    if is_plain && has_names_only { at } else { 0 }
}

/// Returns the names that a statement seems to read: no fields, keys, or names that are assigned.
fn names_read(text: &str, language: &str) -> Vec<String> {
    let plain = plain(text, language);
    let mut names: Vec<String> = vec![];
    let mut at = written(&plain);
    while let Some(begin) = plain[at..].find(is_of_name).map(|found| at + found) {
        let rest = &plain[begin..];
        let name = &rest[..rest.find(|c| !is_of_name(c)).unwrap_or(rest.len())];
        at = begin + name.len();
        let (before, behind) = (plain[..begin].trim_end(), plain[at..].trim_start());
        let is_field = (before.ends_with('.') && !before.ends_with(".."))
            || before.ends_with("->")
            || before.ends_with("?.")
            || plain[..begin].ends_with(':');
        let is_key = behind.starts_with(':') || (behind.starts_with('=') && !behind.starts_with("=="));
        let is_name = !name.starts_with(|c: char| c.is_numeric()) && !names.iter().any(|it| it == name);
        if is_name && !is_field && !is_key {
            names.push(name.to_owned());
        }
    }
    names
}

/// Returns how often a text has a name.
fn count(text: &str, name: &str) -> usize {
    let is_word = |at: usize| {
        let (before, behind) = (text[..at].chars().next_back(), text[at + name.len()..].chars().next());
        !before.is_some_and(is_of_name) && !behind.is_some_and(is_of_name)
    };
    text.match_indices(name).filter(|(at, _)| is_word(*at)).count()
}

/// Returns whether the text of a statement seems to declare a variable by a word. Of several with values, only the first one is seen.
fn declares(text: &str, name: &str) -> bool {
    let words = ["let", "const", "var", "local", "my", "our", "state"];
    words.iter().any(|word| {
        text.match_indices(word).any(|(at, _)| {
            let behind = &text[at + word.len()..];
            let is_word = !text[..at].ends_with(is_of_name) && !behind.starts_with(is_of_name);
            let end = ["=", ";", " of ", " in "].iter().filter_map(|end| behind.find(end)).min();
            is_word && count(&behind[..end.unwrap_or(behind.len())], name) > 0
        })
    })
}

/// Returns whether the text of a statement seems to assign a variable, and not to read what it had before, nor to assign what it refers to.
/// What is in quotes may be read.
fn assigns_anew(text: &str, name: &str, language: &str) -> bool {
    let plain = plain(text, language);
    let refers = plain.trim_start().starts_with('*') || plain.contains(&format!("{name}["));
    let is_read = names_read(text, language).iter().any(|it| it == name) || count(text, name) != count(&plain, name);
    may_assign(text, name) && !refers && !is_read
}

/// Returns whether the text of a statement may assign a variable: it has the name, and a sign of an assignment.
fn may_assign(text: &str, name: &str) -> bool {
    let assigns = text.match_indices('=').any(|(at, _)| {
        let (before, behind) = (text[..at].chars().next_back(), text[at + 1..].chars().next());
        !before.is_some_and(|c| "=!~".contains(c)) && !behind.is_some_and(|c| "=>~".contains(c))
    });
    let others = ["++", "--", "&", "<<", "for", "|", "local ", "var ", "let "];
    count(text, name) > 0 && (assigns || others.iter().any(|sign| text.contains(sign)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_are_read_are_told_from_others() {
        let read = |text: &str, language: &str| names_read(text, language).join(" ");
        assert_eq!(read("total += m.value; // count", "javascript"), "total m");
        assert_eq!(read("const m = mean(xs)", "javascript"), "mean xs");
        assert_eq!(read("let { a, b } = f(c)", "javascript"), "f c");
        assert_eq!(read("return { value: sum, other };", "javascript"), "return sum other");
        assert_eq!(read("print(label .. total(items), #items) -- x", "lua"), "print label total items");
        assert_eq!(read("$sum = $this->price + $x['k'];", "php"), "$this $x");
        assert_eq!(read("puts \"#{a} b\", @names.first # c", "ruby"), "puts @names");
        assert_eq!(read("if (a == b \\ 'it\\'s' && x->y)", "c"), "if a b x");
        assert_eq!(read("x, err := f(y)", "go"), "f y");
        assert_eq!(read("x <<= n", "c"), "x n");
        assert_eq!(read("if (x <= n)", "c"), "if x n");
    }

    #[test]
    fn what_may_be_an_assignment_is_told_by_its_sign() {
        for text in ["x = 1", "x += 1", "a, x = f()", "x++", "for x in y do", "scanf(&x)", "it.each do |x|", "x >>= 1"]
        {
            assert!(may_assign(text, "x"), "{text}");
        }
        for text in ["if (x == 1)", "f(x)", "xs = 1", "return x != 2", "k => x"] {
            assert!(!may_assign(text, "x"), "{text}");
        }
    }

    #[test]
    fn an_assignment_that_reads_the_variable_gives_no_first_value() {
        for text in ["x = 1", "let x = f(y);", "x, y = f()", "if ((x = f()) > 1)", "x = item.x", "var x = '' + y"] {
            assert!(assigns_anew(text, "x", "javascript"), "{text}");
        }
        for text in ["x = x + 1", "x += 1", "x++", "x <<= 1", "x[0] = 1", "x.y = 1", "*x = 1", "x = `${x}`", "f(x)"] {
            assert!(!assigns_anew(text, "x", "javascript"), "{text}");
        }
    }

    #[test]
    fn a_declaration_is_told_by_its_word() {
        for text in ["let x;", "const { y, x } = f()", "for (const x of y)", "my ($y, $x) = @_;", "local y, x = f()"] {
            assert!(declares(text, if text.contains('$') { "$x" } else { "x" }), "{text}");
        }
        for text in ["x = 1", "let y = x", "for (const y of x)", "outlet(x)", "letter = x"] {
            assert!(!declares(text, "x"), "{text}");
        }
    }

    /// A function sums what it is given, in a loop; lines are `file:line_time text`.
    const WHOLE: &str = "a.js:9_1 f()\n a.js:2_2 let t = g()\n a.js:3_3 let u = 1\n a.js:5_4 t.run(u)\n";

    /// The file of the runs: of what has no values in it, `n` is declared in the function, and `o` is not.
    const SOURCE: &str = "let o;\nfunction f(m) {\n  let n;\n";

    type Times<'a> = &'a [(u32, &'a str)];

    fn of(whole: &str, left: &str, assigned: Times<'_>, of_whole: Times<'_>) -> Vec<(String, u32, u32)> {
        let parse = |text: &str| ExecutionPlan::parse(text).unwrap();
        let (whole, left) = (parse(whole), parse(left));
        let statement = |event: &Execution| {
            let function = if event.depth == 0 { "<module>" } else { "f" }.to_owned();
            let statement = Statement { place: event.place.clone(), text: event.text.clone(), indent: 0, function };
            (event.place.clone(), statement)
        };
        let statements = whole.events().iter().map(statement).collect();
        let values = |all: &[(u32, &str)]| -> ValuesByTime {
            let of = |at: u32| all.iter().filter(move |it| it.0 == at).map(|it| (it.1.to_owned(), "1".to_owned()));
            all.iter().map(|(time, _)| (*time, of(*time).collect())).collect()
        };
        let values_left = values(assigned);
        let language = "javascript";
        let sources = HashMap::from([("a.js".to_owned(), SOURCE.to_owned())]);
        let (whole, left, values_left) = (&whole, &left, &values_left);
        let of = Leftover { language, whole, left, statements: &statements, values: values_left, sources: &sources };
        let shown = of.shown(of.likely(), &values(of_whole));
        shown.into_iter().map(|it| (it.name, it.read.line, it.assigned.line)).collect()
    }

    #[test]
    fn a_variable_without_a_value_is_named_only_if_that_is_known() {
        let without_t = "a.js:9_1 f()\n a.js:3_3 let u = 1\n a.js:5_4 t.run(u)\n";
        let all = [(2, "t"), (3, "u")];
        assert_eq!(of(WHOLE, without_t, &[(3, "u")], &all), [("t".to_owned(), 5, 2)]);
        // What seems to assign it did not, what is left does, and nothing is left out.
        assert!(of(WHOLE, without_t, &[(3, "u")], &[(3, "u")]).is_empty());
        assert!(of(WHOLE, without_t, &[(3, "t.x")], &all).is_empty());
        assert!(of(WHOLE, WHOLE, &all, &all).is_empty());
    }

    #[test]
    fn a_variable_that_had_a_value_before_is_not_named() {
        let run = |first: &str, second: &str, read: &str| {
            let whole = format!("a.js:9_1 f(7)\n a.js:2_2 {first}\n a.js:3_3 {second}\n a.js:5_4 {read}\n");
            of(&whole, &format!("a.js:9_1 f(7)\n a.js:5_4 {read}\n"), &[], &[(2, "m"), (3, "m"), (2, "n"), (2, "o")])
        };
        assert_eq!(run("let m = 1", "m = m + 1", "throw m"), [("m".to_owned(), 5, 3)]);
        assert_eq!(run("let m;", "m = 1", "throw m"), [("m".to_owned(), 5, 3)]);
        // A parameter, or a variable of another function: it is read before, or not declared.
        assert!(run("m = m + 1", "let k = 0", "if (m > 2) throw 1").is_empty());
        assert!(run("m += 1", "m = 0", "throw m").is_empty());
        assert!(run("let k = m", "m = 2", "throw m").is_empty());
        assert!(run("m = 2", "let k = 0", "throw m").is_empty());
        assert!(run("o = 2", "let k = 0", "throw o").is_empty());
        assert_eq!(run("n = 2", "let k = 0", "throw n"), [("n".to_owned(), 5, 2)]);
    }

    #[test]
    fn a_variable_that_what_is_left_of_another_function_assigns_is_not_named() {
        let (calls, own) = ("a.js:8_1 let t = 5\na.js:9_2 f()\n", " a.js:2_3 let t = g()\n");
        let reads = " a.js:5_4 t.run()\n";
        let named = |left: &str| of(&format!("{calls}{own}{reads}"), left, &[], &[(3, "t")]);
        assert!(named(&format!("{calls}{reads}")).is_empty());
        assert_eq!(named(&format!("a.js:9_2 f()\n{reads}")), [("t".to_owned(), 5, 2)]);
    }
}
