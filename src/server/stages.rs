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
pub type Follower = watch::Receiver<Stage>;

/// Waits until a server has come to a stage; one that is gone has come to every stage.
pub async fn reached(follower: &Follower, stage: Stage) {
    // It fails if the server is gone.
    let _ = follower.clone().wait_for(|&now| now >= stage).await;
}
