//! Histories: ranges of repositories, two folders, patches. What they should be, git and the folders themselves say.

mod ends;
mod folders;
mod graphs;
mod kinds;
mod patches;
mod repository;
mod untouched;
