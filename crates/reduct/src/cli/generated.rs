//! `reduct --generate KIND`: what is made from the definition of the command line, for those who pack reduct.

use super::command::COMMANDS;
use super::entry::CommandArgs;
use clap::builder::StyledStr;
use clap::{Arg, Command};
use clap_complete::Shell;
use clap_mangen::Man;
use reduct_lib::Refusal;
use std::io::{self, Write};
use std::process::ExitCode;

/// What can be generated.
#[derive(clap::ValueEnum, Clone, Copy, Debug)]
pub(super) enum Generated {
    Man,
    CompleteBash,
    CompleteElvish,
    CompleteFish,
    CompletePowershell,
    CompleteZsh,
}

/// What is generated, and from what.
pub(super) struct Generating {
    pub(super) kind: Generated,
    pub(super) definition: Command,
}

impl CommandArgs for Generating {
    fn run(&self) -> Result<ExitCode, Refusal> {
        let (mut text, command) = (vec![], visible(self.definition.clone()));
        match self.kind {
            Generated::Man => man(command, &mut text),
            Generated::CompleteBash => complete(Shell::Bash, command, &mut text),
            Generated::CompleteElvish => complete(Shell::Elvish, command, &mut text),
            Generated::CompleteFish => complete(Shell::Fish, command, &mut text),
            Generated::CompletePowershell => complete(Shell::PowerShell, command, &mut text),
            Generated::CompleteZsh => complete(Shell::Zsh, command, &mut text),
        }
        .and_then(|()| io::stdout().write_all(&text))
        .map_err(Refusal::io("write", "standard output"))?;
        Ok(ExitCode::SUCCESS)
    }
}

/// Returns the definition with all that the short help leaves out: commands, which are listed there in groups of its own,
/// and what stands in the long help only.
fn visible(definition: Command) -> Command {
    let whole = |command: Command| command.hide(false).mut_args(|option| option.hide_short_help(false));
    COMMANDS.iter().fold(whole(definition), |all, entry| all.mut_subcommand(entry.name, whole))
}

/// Writes what completes the words of a command line in a shell.
fn complete(shell: Shell, mut command: Command, output: &mut Vec<u8>) -> io::Result<()> {
    clap_complete::generate(shell, &mut command, "reduct", output);
    Ok(())
}

/// Writes the man page: all commands in one, each with those options that it does not share with a reduction.
fn man(mut command: Command, output: &mut Vec<u8>) -> io::Result<()> {
    command.build();
    let page = Man::new(command.clone()).title("REDUCT");
    page.render_title(output)?;
    page.render_name_section(output)?;
    page.render_synopsis_section(output)?;
    page.render_description_section(output)?;
    page.render_options_section(output)?;
    writeln!(output, ".SH COMMANDS")?;
    for entry in COMMANDS {
        section(&command, entry.name, output)?;
    }
    writeln!(output, ".SH NOTES")?;
    as_it_is(command.get_after_long_help(), output)
}

/// Writes the section of a command.
fn section(all: &Command, name: &str, output: &mut Vec<u8>) -> io::Result<()> {
    let Some(command) = all.find_subcommand(name) else { return Ok(()) };
    let is_shared = |option: &Arg| all.get_arguments().any(|other| is_same(option, other));
    let (shared, own): (Vec<&Arg>, Vec<&Arg>) =
        command.get_arguments().filter(|option| !option.is_hide_set()).partition(|option| is_shared(option));
    writeln!(output, ".SS reduct {name}")?;
    let options = command.clone().mut_args(|option| match is_shared(&option) {
        true => option.hide(true),
        false => option.help_heading(None),
    });
    let part = Man::new(options);
    let mut text = vec![];
    part.render_description_section(&mut text)?;
    if !own.is_empty() {
        part.render_options_section(&mut text)?;
    }
    // These are sections of a page of their own, each with the same definitions; here they follow one upon the other.
    let is_heading = |line: &[u8]| [".SH ", ".ie ", ".el "].iter().any(|request| line.starts_with(request.as_bytes()));
    for line in text.split_inclusive(|byte| *byte == b'\n').filter(|line| !is_heading(line)) {
        output.write_all(line)?;
    }
    let names: Vec<String> = shared
        .iter()
        .filter_map(|option| option.get_long())
        .map(|long| format!("\\-\\-{}", long.replace('-', "\\-")))
        .collect();
    if !names.is_empty() {
        writeln!(output, ".PP\nAs above: {}.", names.join(", "))?;
    }
    Ok(())
}

/// Returns whether an option of a command is one of a reduction, with the same meaning.
fn is_same(one: &Arg, other: &Arg) -> bool {
    let meaning = |option: &Arg| (option.get_help().cloned(), option.get_long_help().cloned());
    one.get_long().is_some() && one.get_long() == other.get_long() && meaning(one) == meaning(other)
}

/// Writes a text line by line, as it is.
fn as_it_is(text: Option<&StyledStr>, output: &mut Vec<u8>) -> io::Result<()> {
    writeln!(output, ".nf")?;
    for line in text.map(ToString::to_string).unwrap_or_default().lines() {
        // A dot or a quote at the beginning of a line would be a request.
        let line = line.replace('\\', "\\e").replace('-', "\\-");
        let guard = if line.starts_with(['.', '\'']) { "\\&" } else { "" };
        writeln!(output, "{guard}{line}")?;
    }
    writeln!(output, ".fi")
}
