//! Files that tell the goals of runs apart. There is one, and the others ask it. So a new goal takes a file of its own and
//! some lines in that one.

use crate::source::{Crate, is_test};
use syn::visit::Visit;

/// The names that the type of goals has and had: `figures --at` counts earlier commits too.
const TYPES: [&str; 2] = ["Goal", "Against"];

/// Returns the files that tell goals apart, by a pattern or by comparing with one. A file that only makes a goal is not
/// one of them.
pub(crate) fn matching(krate: &Crate) -> Vec<String> {
    let files = krate.files.values().filter(|file| matches_goals(&file.syntax));
    files.map(|file| file.path.display().to_string()).collect()
}

/// Returns whether a file tells goals apart, its tests aside.
fn matches_goals(file: &syn::File) -> bool {
    let mut asks = Asks(false);
    asks.visit_file(file);
    asks.0
}

/// Looks for patterns and comparisons with a variant of `Goal`.
struct Asks(bool);

impl Asks {
    fn look(&mut self, path: &syn::Path) {
        let mut names = path.segments.iter().rev().map(|segment| segment.ident.to_string());
        let is_variant = names.next().is_some_and(|name| name.starts_with(char::is_uppercase));
        self.0 |= is_variant && names.next().is_some_and(|name| TYPES.contains(&name.as_str()));
    }

    fn look_at(&mut self, operand: &syn::Expr) {
        match operand {
            syn::Expr::Path(path) => self.look(&path.path),
            syn::Expr::Call(call) => self.look_at(&call.func),
            syn::Expr::Reference(reference) => self.look_at(&reference.expr),
            _ => {}
        }
    }
}

impl<'a> Visit<'a> for Asks {
    fn visit_item_mod(&mut self, item: &'a syn::ItemMod) {
        if !is_test(&item.attrs) {
            syn::visit::visit_item_mod(self, item);
        }
    }

    fn visit_pat(&mut self, pattern: &'a syn::Pat) {
        match pattern {
            syn::Pat::Path(pattern) => self.look(&pattern.path),
            syn::Pat::TupleStruct(pattern) => self.look(&pattern.path),
            syn::Pat::Struct(pattern) => self.look(&pattern.path),
            _ => {}
        }
        syn::visit::visit_pat(self, pattern);
    }

    fn visit_expr_binary(&mut self, comparison: &'a syn::ExprBinary) {
        if matches!(comparison.op, syn::BinOp::Eq(_) | syn::BinOp::Ne(_)) {
            self.look_at(&comparison.left);
            self.look_at(&comparison.right);
        }
        syn::visit::visit_expr_binary(self, comparison);
    }

    fn visit_macro(&mut self, mac: &'a syn::Macro) {
        // What `matches!` gets is no expression.
        let tokens = mac.tokens.to_string().replace(' ', "");
        let names_goal = TYPES.iter().any(|name| tokens.contains(&format!("{name}::")));
        self.0 |= mac.path.is_ident("matches") && names_goal;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_goal_is_told_by_a_pattern_or_a_comparison_but_not_by_making_one() {
        for (code, tells) in [
            ("fn f(g: &Goal) -> bool { match g { Goal::Reduce => true, _ => false } }", true),
            ("fn f(g: &Goal) -> bool { if let crate::goal::Goal::Minima(_) = g { true } else { false } }", true),
            ("fn f(g: &Goal) -> bool { matches!(g, Goal::Minima(_)) }", true),
            ("fn f(g: &Goal) -> bool { *g != Goal::Reduce }", true),
            ("fn f(a: &Against) -> bool { matches!(a, Against::Empty) }", true),
            ("fn f() -> Goal { Goal::Minima(3) }", false),
            ("fn f(g: &Goal) -> bool { g.is_reduction() }", false),
            ("#[cfg(test)] mod tests { fn f(g: &Goal) -> bool { matches!(g, Goal::Reduce) } }", false),
        ] {
            assert_eq!(matches_goals(&syn::parse_file(code).expect("it is Rust")), tells, "{code}");
        }
    }
}
