//! What is promised of the searches: the seeds' exercises, a naive reference, laws, bounds.

mod bisect;
mod bounds;
mod config;
mod ddplus;
mod descent;
mod exercises;
mod halves;
mod isolate;
mod laws;
mod minima;
mod monotone;
mod neighbours;
mod reference;
mod relevance;
mod speculate;
mod split;
mod stretches;
mod support;
mod waves;
