//! Which columns of SQL refer to which, as the tables are declared: `REFERENCES` of a column, and `FOREIGN KEY` of a table.

use super::words::{Label, SQL};
use crate::text::is_word;
use reduct_input::Subject;
use std::collections::{BTreeMap, HashMap};

/// A word or sign of SQL, in small letters and without quotes.
type Token = Vec<u8>;

/// A table, and its column; without one, its key is meant.
type Referenced = (Token, Option<Token>);

/// First words of what is declared of a table and is no column.
const NO_COLUMNS: &[&[u8]] =
    &[b"constraint", b"primary", b"unique", b"check", b"foreign", b"key", b"index", b"exclude", b"like", b"fulltext"];

/// Other words by which declarations are read.
const KEYWORDS: &[&[u8]] = &[b"table", b"references", b"into", b"if", b"not", b"exists", b"only"];

/// What is declared.
#[derive(Default)]
struct Schema {
    /// The columns of each table, in order.
    columns: HashMap<Token, Vec<Token>>,
    /// The column by which rows of a table are known.
    keys: HashMap<Token, Token>,
    /// A table and column, and what that refers to.
    references: Vec<((Token, Token), Referenced)>,
}

/// Returns, by label behind which names stand, to which words behind it refer, as [`super::links::linked`]; `None` if no table of SQL says so.
pub(super) fn linked<'a>(
    subject: &'a Subject,
    by_label: &HashMap<Label<'a>, Vec<usize>>,
) -> Option<BTreeMap<Label<'a>, Vec<Label<'a>>>> {
    let mut schema = Schema::default();
    for tree in subject.trees().iter().filter(|tree| tree.grammar.language == SQL) {
        schema.read(&tokens(subject.text(tree.range(0))));
    }
    if schema.references.is_empty() {
        return None;
    }
    let mut labels: HashMap<(Token, Token), Vec<Label<'a>>> = HashMap::new();
    for label in by_label.keys().filter(|label| label.language == SQL) {
        if let Some(column) = schema.column(label) {
            labels.entry(column).or_default().push(*label);
        }
    }
    labels.values_mut().for_each(|labels| labels.sort());
    let mut linked: BTreeMap<Label<'a>, Vec<Label<'a>>> = BTreeMap::new();
    for (from, (table, column)) in &schema.references {
        let column = column.clone().or_else(|| schema.key_of(table)).unwrap_or_default();
        let Some(names) = labels.get(&(table.clone(), column)) else { continue };
        for name in names {
            linked.entry(*name).or_default();
        }
        for label in labels.get(from).into_iter().flatten().filter(|label| !names.contains(label)) {
            let of_label = linked.entry(*label).or_default();
            of_label.extend(names);
            of_label.sort();
            of_label.dedup();
        }
    }
    (!linked.is_empty()).then_some(linked)
}

impl Schema {
    /// Reads all tables, in time proportional to the text.
    fn read(&mut self, tokens: &[Token]) {
        let mut table = Token::new();
        let mut at = 0;
        while at < tokens.len() {
            match &tokens[at][..] {
                b"table" => {
                    let skipped = [&b"if"[..], b"not", b"exists", b"only"];
                    let start = (at + 1..tokens.len()).find(|at| !skipped.contains(&&tokens[*at][..]));
                    let Some(start) = start else { return };
                    at = name_end(tokens, start);
                    table = tokens[at].clone();
                    if tokens.get(at + 1).is_some_and(|next| next == b"(") {
                        at = self.read_columns(&table, tokens, at + 2);
                    }
                }
                b"foreign" => self.read_foreign_key(&table, &tokens[at..]),
                _ => {}
            }
            at += 1;
        }
    }

    /// Reads what stands between the brackets of a table, and returns where that ends.
    fn read_columns(&mut self, table: &Token, tokens: &[Token], start: usize) -> usize {
        let (mut depth, mut is_first, mut column) = (0, true, None);
        let mut columns = vec![];
        let mut at = start;
        while let Some(token) = tokens.get(at) {
            match &token[..] {
                b"(" => depth += 1,
                b";" => break,
                b")" if depth == 0 => break,
                b")" => depth -= 1,
                b"," if depth == 0 => (is_first, column) = (true, None),
                word if is_first && !NO_COLUMNS.contains(&word) => {
                    is_first = false;
                    column = Some(token.clone());
                    columns.extend(column.clone());
                }
                b"references" if depth == 0 => {
                    if let (Some(column), Some(to)) = (&column, referenced(tokens, at + 1)) {
                        self.references.push(((table.clone(), column.clone()), to));
                    }
                }
                b"primary" if depth == 0 => {
                    // Of the column, or of the one that is named behind it.
                    let named = tokens.get(at + 3).filter(|_| tokens.get(at + 2).is_some_and(|open| open == b"("));
                    column.as_ref().or(named).into_iter().for_each(|column| {
                        self.keys.insert(table.clone(), column.clone());
                    });
                }
                b"foreign" if depth == 0 => self.read_foreign_key(table, &tokens[at..]),
                _ => {}
            }
            is_first &= token == b",";
            at += 1;
        }
        self.columns.insert(table.clone(), columns);
        at
    }

    /// Reads `FOREIGN KEY (column) REFERENCES table (column)`, which may have a name before its brackets. Keys of several columns are left out.
    fn read_foreign_key(&mut self, table: &Token, tokens: &[Token]) {
        let Some(open) = (2..4).find(|at| tokens.get(*at).is_some_and(|token| token == b"(")) else { return };
        if let [column, close, references, ..] = &tokens[open + 1..]
            && (&close[..], &references[..]) == (b")", b"references")
            && let Some(to) = referenced(tokens, open + 4)
        {
            self.references.push(((table.clone(), column.clone()), to));
        }
    }

    fn key_of(&self, table: &Token) -> Option<Token> {
        self.keys.get(table).or_else(|| self.columns.get(table)?.first()).cloned()
    }

    /// Returns the table and column in which the words behind a label stand.
    fn column(&self, label: &Label) -> Option<(Token, Token)> {
        let tokens = tokens(label.before);
        let into = tokens.iter().position(|token| token == b"into")?;
        let end = name_end(&tokens, (into + 1 < tokens.len()).then_some(into + 1)?);
        let table = tokens[end].clone();
        let column = match tokens.get(end + 1) {
            Some(open) if open == b"(" => {
                let named = tokens[end + 2..].split(|token| token == b",").nth(label.row)?;
                named.first().cloned()?
            }
            _ => self.columns.get(&table)?.get(label.row)?.clone(),
        };
        Some((table, column))
    }
}

/// Returns the table that is named there, and its column if one is.
fn referenced(tokens: &[Token], start: usize) -> Option<Referenced> {
    tokens.get(start)?;
    let end = name_end(tokens, start);
    let is_open = tokens.get(end + 1).is_some_and(|next| next == b"(");
    Some((tokens[end].clone(), if is_open { tokens.get(end + 2).cloned() } else { None }))
}

/// Returns where the last word of a name stands that begins there, as `b` of `a.b`.
fn name_end(tokens: &[Token], start: usize) -> usize {
    let mut at = start;
    while tokens.get(at + 1).is_some_and(|next| next == b".") && at + 2 < tokens.len() {
        at += 2;
    }
    at
}

/// Returns the words and signs of a text of SQL, without comments and strings.
fn tokens(text: &[u8]) -> Vec<Token> {
    let (mut found, mut at) = (vec![], 0);
    let until = |at: usize, end: &[u8]| {
        let length = text[at..].windows(end.len()).position(|window| window == end);
        length.map_or(text.len(), |length| at + length)
    };
    while at < text.len() {
        let rest = &text[at..];
        let end = match rest[0] {
            b'-' if rest.starts_with(b"--") => until(at, b"\n"),
            b'/' if rest.starts_with(b"/*") => until(at + 2, b"*/") + 2,
            b'\'' => until(at + 1, b"'") + 1,
            quote @ (b'"' | b'`' | b'[') => {
                let end = until(at + 1, if quote == b'[' { b"]" } else { &rest[..1] });
                let mut word = text[at + 1..end].to_ascii_lowercase();
                // A name in quotes is no word of the language.
                if KEYWORDS.contains(&&word[..]) || NO_COLUMNS.contains(&&word[..]) {
                    word.push(b'"');
                }
                found.push(word);
                end + 1
            }
            byte if is_word(byte) => {
                let end = (at..text.len()).find(|at| !is_word(text[*at])).unwrap_or(text.len());
                found.push(text[at..end].to_ascii_lowercase());
                end
            }
            byte => {
                if !byte.is_ascii_whitespace() {
                    found.push(vec![byte]);
                }
                at + 1
            }
        };
        at = end;
    }
    found
}
