//! A request to end is heard, whichever session is under way.

use crate::audience::Audience;
use reduct_session::executor::{Control, Request};
use std::sync::{Arc, Mutex};

/// Hands requests on to the session of the moment, and to the next one if there is none.
pub(crate) struct StopSignal(Arc<Mutex<Board>>);

#[derive(Default)]
struct Board {
    current: Option<Control>,
    /// Somebody wants it all to end.
    ends: bool,
}

impl StopSignal {
    pub(crate) fn new(audience: &mut Audience<'_>) -> StopSignal {
        let board = Arc::new(Mutex::new(Board::default()));
        let shared = Arc::clone(&board);
        (audience.requests)(Control::new(move |request| {
            let Ok(mut board) = shared.lock() else { return };
            board.ends |= matches!(request, Request::Interrupt | Request::Stop);
            board.current.iter().for_each(|current| current.send(request));
        }));
        StopSignal(board)
    }

    /// Takes the control of the session that is under way from now on.
    pub(crate) fn connect(&self, control: Control) {
        connect(&self.0, control);
    }

    /// Returns whether somebody wants it all to end.
    pub(crate) fn ends(&self) -> bool {
        self.0.lock().is_ok_and(|board| board.ends)
    }

    /// Returns those who watch a reduction: nobody, but it hears of requests.
    pub(crate) fn audience(&self) -> Audience<'static> {
        let board = Arc::clone(&self.0);
        Audience { views: vec![], requests: Box::new(move |control| connect(&board, control)) }
    }
}

fn connect(board: &Mutex<Board>, control: Control) {
    let Ok(mut board) = board.lock() else { return };
    if board.ends {
        control.send(Request::Interrupt);
    }
    board.current = Some(control);
}
