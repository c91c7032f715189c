//! How a server ends: stage by stage, and everything under way follows.

use tokio::sync::watch;

/// What a server still does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// It answers every client.
    Open,
    /// It answers what has been asked.
    Closing,
    /// It says of answers that need more time that they end here.
    Cutting,
    /// It does nothing any more.
    Over,
}

/// The stages of a server. Without followers it is [closed](watch::Sender::closed).
pub type Stages = watch::Sender<Stage>;

/// Something under way that has to know how far the end has come.
#[derive(Clone)]
pub struct Follower(watch::Receiver<Stage>);

impl Follower {
    /// Returns a new follower.
    pub fn of(stages: &Stages) -> Follower {
        Follower(stages.subscribe())
    }

    /// Waits until the server has come to a stage; one that is gone has come to every stage.
    pub async fn reached(&self, stage: Stage) {
        let mut stages = self.0.clone();
        // It fails if the server is gone.
        let _ = stages.wait_for(|&now| now >= stage).await;
    }
}
