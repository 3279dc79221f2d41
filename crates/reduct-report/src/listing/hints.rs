//! What is said below a listing of values: that the failure may have another reason than in the whole run.

use super::text::{cut, shown};
use reduct_trace::{Place, TellingValue, Unassigned};
use std::time::Duration;

/// Returns what is said of a listing of a program that was built and prints a wrong 0, and in which nothing assigns one.
pub fn zero_of_nothing(is_of_c: bool) -> String {
    let compared = if is_of_c { " reduct state compares such a run with one that prints the right value." } else { "" };
    format!(
        "Nothing that is left assigns a 0, and variables begin as 0 there: the 0 that is printed may be that of a variable which got no value \
         here, and the listing does not say where the 0 of the whole run comes from.{compared}"
    )
}

/// Returns what is said of a variable that is read in what is left, while only what was left out assigns it.
pub fn unassigned(it: &Unassigned) -> String {
    let (at, name) = (|place: &Place| format!("{}:{}", shown(&place.file), place.line), shown(&it.name));
    format!(
        "{} reads {name}. Nothing that is left of this function assigns it, but {} does in the whole run: so {name} may have no value here, and the \
         failure another cause.",
        at(&it.read),
        at(&it.assigned),
    )
}

/// Returns what is said if it takes too long to write the values of the whole run down.
pub fn values_not_had(limit: Duration) -> String {
    format!(
        "Nothing is compared with the values of the whole run: it takes more than {} s to write them down.",
        limit.as_secs_f64().ceil()
    )
}

/// Returns what is said of the difference that says most about the failure.
pub fn telling(it: &TellingValue) -> String {
    let at = |place: &Place| format!("{}:{}", shown(&place.file), place.line);
    let (name, here, whole) = (shown(&it.value.name), cut(&it.value.here), cut(&it.value.whole));
    let assigned = it.assigned.as_ref().map(|it| {
        let place = at(&it.place);
        if it.is_left_elsewhere {
            format!("an execution of {place} that is left out assigned it")
        } else {
            format!("{place}, left out, assigned it")
        }
    });
    let read = at(&it.at);
    match assigned {
        Some(assigned) if it.value.is_same() => format!(
            "{read}: {name} is {here} here, and nothing that is left assigns it. It was {whole} in the whole run, too, but there, {assigned}."
        ),
        Some(assigned) => format!("{read}: {name} is {here} here; it was {whole} in the whole run ({assigned})."),
        None => format!("{read}: {name} is {here} here; it was {whole} in the whole run."),
    }
}
