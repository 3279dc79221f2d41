//! Variables that are read in what is left of a run, while only what was left out assigns them.
//!
//! In many languages, such a variable is no error: it is undefined, null or zero. Then what is left may fail for another reason than the whole
//! run, and what gave the variable its value is not in it. Texts of statements say what may be such a variable; what was assigned in both
//! runs decides.

use crate::plan::{Execution, ExecutionPlan, Place};
use crate::recording::Statement;
use std::collections::{BTreeMap, HashMap, HashSet};

/// What was assigned in a run, by the number of the execution: names and values.
pub type Assigned = HashMap<u32, Vec<(String, String)>>;

/// A variable that is read, and that nothing of what is left assigns in its function.
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
    pub values: &'a Assigned,
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
                if !is_known && !self.is_assigned(&name, statement) {
                    found.extend(self.assigned_before(&name, (event, statement), &places));
                }
            }
        }
        found
    }

    /// Returns those of the likely ones that a run of the whole plan has shown to be assigned where they seem to be.
    pub fn shown(&self, likely: Vec<Unassigned>, of_whole: &Assigned) -> Vec<Unassigned> {
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

    /// Returns whether something that is left, in the function of a statement, assigns a variable, or may do so.
    fn is_assigned(&self, name: &str, in_function_of: &Statement) -> bool {
        let mut looked_at = HashSet::new();
        self.left.events().iter().filter(|event| self.is_in_function(&event.place, in_function_of)).any(|event| {
            let mut values = self.values.get(&event.time).into_iter().flatten();
            let is_noted = values.any(|(of, _)| {
                of.strip_prefix(name).is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
            });
            let text = &event.text;
            let may = || event.place != in_function_of.place && may_assign(text, name);
            is_noted || (looked_at.insert(&event.place) && may())
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
    let is_plain = !behind.starts_with(['=', '>', '~']);
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

/// Returns whether the text of a statement may assign a variable: it has the name, and a sign of an assignment.
fn may_assign(text: &str, name: &str) -> bool {
    let is_word = |at: usize| {
        let (before, behind) = (text[..at].chars().next_back(), text[at + name.len()..].chars().next());
        !before.is_some_and(is_of_name) && !behind.is_some_and(is_of_name)
    };
    let has_name = text.match_indices(name).any(|(at, _)| is_word(at));
    let assigns = text.match_indices('=').any(|(at, _)| {
        let (before, behind) = (text[..at].chars().next_back(), text[at + 1..].chars().next());
        !before.is_some_and(|c| "=!~".contains(c)) && !behind.is_some_and(|c| "=>~".contains(c))
    });
    let others = ["++", "--", "&", "<<", "for", "|", "local ", "var ", "let "];
    has_name && (assigns || others.iter().any(|sign| text.contains(sign)))
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

    /// A function sums what it is given, in a loop; lines are `file:line_time text`.
    const WHOLE: &str = "a.js:9_1 f()\n a.js:2_2 let t = g()\n a.js:3_3 let u = 1\n a.js:5_4 t.run(u)\n";

    fn of(left: &str, assigned: &[(u32, &str)], of_whole: &[(u32, &str)]) -> Vec<(String, u32, u32)> {
        let parse = |text: &str| ExecutionPlan::parse(text).unwrap();
        let (whole, left) = (parse(WHOLE), parse(left));
        let statement = |event: &Execution| {
            let function = if event.depth == 0 { "<module>" } else { "f" }.to_owned();
            let statement = Statement { place: event.place.clone(), text: event.text.clone(), indent: 0, function };
            (event.place.clone(), statement)
        };
        let statements = whole.events().iter().map(statement).collect();
        let values = |all: &[(u32, &str)]| -> Assigned {
            all.iter().map(|(time, name)| (*time, vec![((*name).to_owned(), "1".to_owned())])).collect()
        };
        let values_left = values(assigned);
        let language = "javascript";
        let of = Leftover { language, whole: &whole, left: &left, statements: &statements, values: &values_left };
        let shown = of.shown(of.likely(), &values(of_whole));
        shown.into_iter().map(|it| (it.name, it.read.line, it.assigned.line)).collect()
    }

    #[test]
    fn a_variable_without_a_value_is_named_only_if_that_is_known() {
        let without_t = "a.js:9_1 f()\n a.js:3_3 let u = 1\n a.js:5_4 t.run(u)\n";
        let all = [(2, "t"), (3, "u")];
        assert_eq!(of(without_t, &[(3, "u")], &all), [("t".to_owned(), 5, 2)]);
        // What seems to assign it did not, what is left does, and nothing is left out.
        assert!(of(without_t, &[(3, "u")], &[(3, "u")]).is_empty());
        assert!(of(without_t, &[(3, "t.x")], &all).is_empty());
        assert!(of(WHOLE, &all, &all).is_empty());
    }
}
