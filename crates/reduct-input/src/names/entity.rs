//! What a name stands for.

/// What a name stands for in one function, or outside of all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Entity {
    /// Its name, by index.
    pub name: usize,
    /// The function it is defined in, by tree and node; `None` if it is known everywhere.
    pub scope: Option<(usize, usize)>,
    /// The places that define, declare or import it, by index.
    pub defines: Vec<usize>,
    /// The places that refer to it, by index.
    pub uses: Vec<usize>,
    /// What sort of thing it is.
    pub sort: Sort,
}

/// What sort of thing is defined.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sort {
    /// A variable, constant, field or macro.
    #[default]
    Value,
    /// A parameter.
    Parameter,
    /// A function or method.
    Function,
    /// A type.
    Type,
    /// What is imported, whatever it is.
    Import,
}
