//! Histories of repositories, read by git and compared with what git checks out.

mod ends;
mod graphs;
mod kinds;
mod repository;
mod untouched;
