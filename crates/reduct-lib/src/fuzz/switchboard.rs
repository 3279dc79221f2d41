//! Who wants it to end is heard, whichever session is under way.

use crate::audience::Audience;
use reduct_session::executor::{Notice, Wish, Wishes};
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex};

/// Sends wishes on to the session of the moment, and to the next one if there is none.
pub(crate) struct Switchboard(Arc<Mutex<Board>>);

#[derive(Default)]
struct Board {
    current: Option<Wishes>,
    /// Somebody wants it all to end.
    ends: bool,
}

impl Switchboard {
    pub(crate) fn new(audience: &mut Audience<'_>) -> Switchboard {
        let board = Arc::new(Mutex::new(Board::default()));
        let (sender, wishes) = channel();
        let shared = Arc::clone(&board);
        // It ends when nobody is left who could wish.
        std::thread::spawn(move || {
            for notice in wishes {
                let Notice::Wish(wish) = notice else { continue };
                let Ok(mut board) = shared.lock() else { break };
                board.ends |= wish != Wish::Skip;
                board.current.iter().for_each(|current| current.send(wish));
            }
        });
        (audience.wishes)(Wishes::to(sender));
        Switchboard(board)
    }

    /// From now on this session is under way.
    pub(crate) fn connect(&self, wishes: Option<Wishes>) {
        connect(&self.0, wishes);
    }

    /// Whether somebody wants it all to end.
    pub(crate) fn ends(&self) -> bool {
        self.0.lock().is_ok_and(|board| board.ends)
    }

    /// Those who watch a reduction: nobody, but it hears of wishes.
    pub(crate) fn audience(&self) -> Audience<'static> {
        let board = Arc::clone(&self.0);
        Audience { views: vec![], wishes: Box::new(move |wishes| connect(&board, Some(wishes))) }
    }
}

fn connect(board: &Mutex<Board>, wishes: Option<Wishes>) {
    let Ok(mut board) = board.lock() else { return };
    board.current = wishes;
    if board.ends {
        board.current.iter().for_each(|current| current.send(Wish::Interrupt));
    }
}
