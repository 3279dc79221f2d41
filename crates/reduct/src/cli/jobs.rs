//! How many tests run at a time.

use super::headings::SEARCH;
use super::values::usage;
use reduct_lib::Refusal;

/// The variable that says how many tests run at a time, if no option does.
const VARIABLE: &str = "REDUCT_JOBS";

/// How many tests may run at a time.
pub(super) const RANGE: std::ops::RangeInclusive<u16> = 1..=4096;

/// How many tests run at a time.
#[derive(clap::Args, Debug)]
pub(super) struct Jobs {
    /// Run N tests at a time; N does not change the result [default: physical cores]
    ///
    /// The variable REDUCT_JOBS says how many if the option is not given.
    #[arg(short, long, value_name = "N", help_heading = SEARCH, display_order = 900, alias = "n", short_alias = 'n',
          alias = "parallelism", value_parser = clap::value_parser!(u16).range(i64::from(*RANGE.start())..=i64::from(*RANGE.end())))]
    jobs: Option<u16>,
}

impl Jobs {
    /// Returns the number that is asked for, by the option or the variable.
    pub(super) fn wanted(&self) -> Result<Option<usize>, Refusal> {
        let number = match self.jobs {
            Some(number) => Some(number),
            None => {
                let value = std::env::var_os(VARIABLE).filter(|value| !value.is_empty());
                value.map(|value| read(&value.to_string_lossy())).transpose()?
            }
        };
        Ok(number.map(usize::from))
    }
}

/// Returns the number that the variable holds.
fn read(value: &str) -> Result<u16, Refusal> {
    let number = value.parse().ok().filter(|number| RANGE.contains(number));
    let range = format!("it can be a number from {} to {}", RANGE.start(), RANGE.end());
    number.ok_or_else(|| usage(format!("{VARIABLE} is {value}"), range))
}
