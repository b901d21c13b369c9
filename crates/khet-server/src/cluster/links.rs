//! Links to other nodes: the messages of games to subscribers whose connection is at another node,
//! and the actions of these subscribers.
//!
//! NATS may lose messages, so batches of frames are numbered. A node that misses one, or hears
//! nothing from a node for too long, drops the subscriptions between both. The clients reconnect and
//! get the events that they have not seen.

use std::collections::{BTreeSet, HashMap};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use axum::extract::ws::Utf8Bytes;
use khet_protocol::{Action, GameId, ServerMessage};
use tokio::sync::mpsc;

use super::messages::{FrameBatch, NodeFrame, frame_subject};
use super::{Bus, NodeId};
use crate::games::{Message, Reply, to_json};
use crate::random;
use crate::server_state::ServerState;

/// Number of frames that may wait for the bus.
const QUEUE_CAPACITY: usize = 16_384;
/// Largest number of frames in a batch.
const MAX_BATCH: usize = 256;
/// Size at which a batch is sent. NATS refuses messages of more than 1 MB by default, and JSON within JSON
/// can be twice as long.
const MAX_BATCH_BYTES: usize = 256 * 1024;
/// Interval of heartbeats on a link that is in use.
const HEARTBEAT_INTERVAL: Duration = Duration::from_millis(500);
/// Time without any frame after which a link is broken.
const SILENCE_LIMIT: Duration = Duration::from_millis(1500);

/// All links of this node.
#[derive(Debug, Default)]
pub(crate) struct Links {
    outgoing: Mutex<HashMap<NodeId, OutgoingLink>>,
    incoming: Mutex<HashMap<NodeId, IncomingLink>>,
}

/// The queue of frames to a node.
#[derive(Clone, Debug)]
struct OutgoingLink {
    queue: mpsc::Sender<OutgoingFrame>,
    /// A frame that the other node must know did not fit into the queue.
    has_overflowed: Arc<AtomicBool>,
}

/// The frames from a node, and the subscriptions between it and this one.
#[derive(Debug)]
struct IncomingLink {
    /// The link of the last batch, and its number.
    last: Option<(u64, u64)>,
    received: Instant,
    /// Connections of this node that are subscribed to games of the other one.
    local: HashMap<u64, LocalSubscriber>,
    /// Connections of the other node that are subscribed to games of this one.
    remote: HashMap<u64, RemoteSubscriber>,
    /// The first parts of a message whose last part has not arrived.
    parts: String,
}

/// A connection of this node that is subscribed to a game of another one.
#[derive(Debug)]
struct LocalSubscriber {
    game: GameId,
    outbox: mpsc::Sender<Utf8Bytes>,
    round_trip: Arc<AtomicU32>,
}

/// A connection of another node that is subscribed to a game of this one.
#[derive(Debug)]
struct RemoteSubscriber {
    game: GameId,
    round_trip: Arc<AtomicU32>,
}

/// A frame that waits for the bus. Messages are texts that many subscribers share.
#[derive(Debug)]
enum OutgoingFrame {
    Message { to: u64, text: Utf8Bytes },
    Other(NodeFrame),
}

/// The channel to a subscriber at another node. The subscriber's connection ends when it is dropped.
#[derive(Debug)]
pub(crate) struct NodeOutbox {
    subscriber: u64,
    link: OutgoingLink,
}

impl Drop for NodeOutbox {
    fn drop(&mut self) {
        self.link.send(NodeFrame::Dropped { subscriber: self.subscriber });
    }
}

impl OutgoingLink {
    /// Queues a frame. `false` if too many are waiting.
    fn try_send(&self, frame: OutgoingFrame) -> bool {
        self.queue.try_send(frame).is_ok()
    }

    /// Queues a frame that the other node must know. If too many are waiting, all subscriptions between both
    /// nodes end.
    fn send(&self, frame: NodeFrame) {
        if !self.try_send(OutgoingFrame::Other(frame)) {
            self.has_overflowed.store(true, Ordering::Relaxed);
        }
    }
}

impl NodeOutbox {
    /// Queues a message. `false` if the link is broken or too slow.
    pub(crate) fn try_send(&self, text: Utf8Bytes) -> bool {
        self.link.try_send(OutgoingFrame::Message { to: self.subscriber, text })
    }
}

impl IncomingLink {
    fn new() -> IncomingLink {
        IncomingLink {
            last: None,
            received: Instant::now(),
            local: HashMap::new(),
            remote: HashMap::new(),
            parts: String::new(),
        }
    }

    fn is_used(&self) -> bool {
        !self.local.is_empty() || !self.remote.is_empty()
    }
}

impl Links {
    fn outgoing(&self) -> MutexGuard<'_, HashMap<NodeId, OutgoingLink>> {
        self.outgoing.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    fn incoming(&self) -> MutexGuard<'_, HashMap<NodeId, IncomingLink>> {
        self.incoming.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Returns the queue of frames to a node, and starts the task that sends them if there is none.
    fn link_to(&self, me: &NodeId, bus: &Bus, node: &NodeId) -> OutgoingLink {
        let mut outgoing = self.outgoing();
        if let Some(link) = outgoing.get(node).filter(|link| !link.queue.is_closed()) {
            return link.clone();
        }
        let (queue, frames) = mpsc::channel(QUEUE_CAPACITY);
        let link = OutgoingLink { queue, has_overflowed: Arc::default() };
        outgoing.insert(node.clone(), link.clone());
        let has_overflowed = Arc::clone(&link.has_overflowed);
        tokio::spawn(send_frames(me.clone(), bus.clone(), node.clone(), frames, has_overflowed));
        link
    }

    /// Registers a connection of this node that subscribes to a game of another one.
    pub(super) fn add_local(
        &self,
        owner: &NodeId,
        (game, subscriber): (GameId, u64),
        outbox: mpsc::Sender<Utf8Bytes>,
        round_trip: Arc<AtomicU32>,
    ) {
        let mut incoming = self.incoming();
        let link = incoming.entry(owner.clone()).or_insert_with(IncomingLink::new);
        if !link.is_used() {
            link.received = Instant::now();
        }
        link.local.insert(subscriber, LocalSubscriber { game, outbox, round_trip });
    }

    /// Removes a connection of this node. Returns whether it was registered with this owner.
    pub(super) fn remove_local(&self, subscriber: u64) -> Option<NodeId> {
        let mut incoming = self.incoming();
        incoming
            .iter_mut()
            .find_map(|(owner, link)| link.local.remove(&subscriber).map(|_| owner.clone()))
    }

    /// Returns the last round trip of a subscriber of this node, and the owner of its game.
    pub(super) fn local(&self, subscriber: u64) -> Option<(NodeId, u32)> {
        let incoming = self.incoming();
        incoming.iter().find_map(|(owner, link)| {
            let subscriber_here = link.local.get(&subscriber)?;
            Some((owner.clone(), subscriber_here.round_trip.load(Ordering::Relaxed)))
        })
    }

    /// Registers a connection of another node that subscribes to a game of this one.
    pub(super) fn add_remote(
        &self,
        (me, bus): (&NodeId, &Bus),
        node: &NodeId,
        (game, subscriber): (GameId, u64),
        round_trip: Arc<AtomicU32>,
    ) -> NodeOutbox {
        let mut incoming = self.incoming();
        let link = incoming.entry(node.clone()).or_insert_with(IncomingLink::new);
        if !link.is_used() {
            link.received = Instant::now();
        }
        link.remote.insert(subscriber, RemoteSubscriber { game, round_trip });
        drop(incoming);
        NodeOutbox { subscriber, link: self.link_to(me, bus, node) }
    }

    /// Returns whether a connection of another node is registered.
    pub(super) fn is_remote(&self, node: &NodeId, subscriber: u64) -> bool {
        self.incoming().get(node).is_some_and(|link| link.remote.contains_key(&subscriber))
    }

    /// Queues a frame to a node. `false` if too many are waiting.
    pub(super) fn try_send(&self, me: &NodeId, bus: &Bus, node: &NodeId, frame: NodeFrame) -> bool {
        self.link_to(me, bus, node).try_send(OutgoingFrame::Other(frame))
    }

    /// Queues a frame that the other node must know.
    pub(super) fn send(&self, me: &NodeId, bus: &Bus, node: &NodeId, frame: NodeFrame) {
        self.link_to(me, bus, node).send(frame);
    }

    /// Receives a batch of frames.
    pub(super) fn receive(
        &self,
        server: &ServerState,
        (me, bus): (&NodeId, &Bus),
        batch: FrameBatch,
    ) {
        let FrameBatch { from, link: id, number, frames } = batch;
        let (is_new, is_complete) = {
            let mut incoming = self.incoming();
            let link = incoming.entry(from.clone()).or_insert_with(IncomingLink::new);
            link.received = Instant::now();
            let last = link.last.replace((id, number));
            let is_new = last.is_some_and(|(last, _)| last != id);
            let received = last.filter(|(last, _)| *last == id).map_or(0, |(_, number)| number);
            (is_new, number == received.wrapping_add(u64::from(!frames.is_empty())))
        };
        if is_new {
            // The other node has forgotten the subscriptions of the last link.
            self.break_link(server, &from);
        }
        if !is_complete {
            metrics::counter!("khet_bus_gaps_total").increment(1);
            tracing::warn!(%from, number, "frames of another node were lost");
            self.break_link(server, &from);
            self.send(me, bus, &from, NodeFrame::Reset);
        }
        let mut unknown = BTreeSet::new();
        for frame in frames {
            unknown.extend(self.receive_frame(server, (me, bus), &from, frame));
        }
        for subscriber in unknown {
            self.send(me, bus, &from, NodeFrame::Leave { subscriber });
        }
    }

    /// Receives a frame. Returns the subscribers that are not or no longer connections of this node.
    fn receive_frame(
        &self,
        server: &ServerState,
        (me, bus): (&NodeId, &Bus),
        from: &NodeId,
        frame: NodeFrame,
    ) -> Vec<u64> {
        match frame {
            NodeFrame::Message { to, text } => return self.pass_on(from, to, text),
            NodeFrame::MessagePart { text } => {
                if let Some(link) = self.incoming().get_mut(from) {
                    link.parts.push_str(&text);
                }
            }
            NodeFrame::Dropped { subscriber } => {
                if let Some(link) = self.incoming().get_mut(from) {
                    link.local.remove(&subscriber);
                }
                self.send(me, bus, from, NodeFrame::Leave { subscriber });
            }
            NodeFrame::Action { game, person, key, action, subscriber, round_trip } => {
                if let Some(subscriber_there) =
                    self.incoming().get(from).and_then(|link| link.remote.get(&subscriber))
                {
                    subscriber_there.round_trip.store(round_trip, Ordering::Relaxed);
                }
                let reply = Reply::Subscriber(subscriber);
                let message = Message::Action { person, key, action, reply };
                // The game is in memory, because the subscriber has joined it. If it is too busy, the frames
                // for all other games must not wait for it.
                if let Err(error) = server.games.try_send_here(game, message) {
                    let refused = to_json(&ServerMessage::Refused { key, error });
                    let refusal = OutgoingFrame::Message { to: subscriber, text: refused };
                    self.link_to(me, bus, from).try_send(refusal);
                }
            }
            NodeFrame::Leave { subscriber } => {
                let subscriber_there =
                    self.incoming().get_mut(from).and_then(|link| link.remote.remove(&subscriber));
                if let Some(subscriber_there) = subscriber_there {
                    server.games.leave_soon(subscriber_there.game, subscriber);
                }
            }
            NodeFrame::Reset => self.break_link(server, from),
        }
        Vec::new()
    }

    /// Passes a message of a game on to connections of this node. One that does not keep up is
    /// dropped, and its client reconnects. Returns the subscribers that the game has to drop: those, and
    /// those that joined although this node did not wait long enough for the response.
    fn pass_on(&self, from: &NodeId, mut to: Vec<u64>, text: String) -> Vec<u64> {
        let mut incoming = self.incoming();
        let Some(link) = incoming.get_mut(from) else { return to };
        let text: Utf8Bytes = match link.parts.is_empty() {
            true => text.into(),
            false => (std::mem::take(&mut link.parts) + &text).into(),
        };
        to.retain(|subscriber| {
            let subscriber_here = link.local.get(subscriber);
            let is_sent = subscriber_here.is_some_and(|subscriber_here| {
                subscriber_here.outbox.try_send(text.clone()).is_ok()
            });
            if !is_sent {
                link.local.remove(subscriber);
            }
            !is_sent
        });
        to
    }

    /// Ends all subscriptions between this node and another one.
    fn break_link(&self, server: &ServerState, node: &NodeId) {
        let remote = {
            let mut incoming = self.incoming();
            let Some(link) = incoming.get_mut(node) else { return };
            // Their connections close when the outboxes are dropped.
            link.local.clear();
            link.parts.clear();
            std::mem::take(&mut link.remote)
        };
        for (subscriber, subscriber_there) in remote {
            server.games.leave_soon(subscriber_there.game, subscriber);
        }
    }

    /// Forgets nodes that are gone.
    pub(super) fn remove_nodes(&self, server: &ServerState, is_alive: impl Fn(&NodeId) -> bool) {
        let gone: Vec<NodeId> =
            self.incoming().keys().filter(|node| !is_alive(node)).cloned().collect();
        for node in gone {
            self.break_link(server, &node);
            self.incoming().remove(&node);
        }
        self.outgoing().retain(|node, _| is_alive(node));
    }

    /// Drops connections of this node that are subscribed to a game at a node that does not own it any
    /// more. Such a node may not know that yet, if it is cut off from the database. The clients
    /// reconnect.
    pub(super) fn retain_games(&self, is_at: impl Fn(GameId, &NodeId) -> bool) {
        for (node, link) in &mut *self.incoming() {
            link.local.retain(|_, subscriber_here| is_at(subscriber_here.game, node));
        }
    }

    /// Breaks links on which nothing has arrived for too long, and keeps the others of both
    /// directions alive.
    pub(super) fn watch(&self, server: &ServerState, me: &NodeId, bus: &Bus) {
        let mut silent = Vec::new();
        for (node, link) in &*self.incoming() {
            if link.is_used() {
                // The task of the link sends heartbeats.
                self.link_to(me, bus, node);
                if link.received.elapsed() > SILENCE_LIMIT {
                    silent.push(node.clone());
                }
            }
        }
        for node in silent {
            tracing::warn!(%node, "nothing arrives from another node");
            self.break_link(server, &node);
        }
    }
}

/// Sends queued frames in batches, and heartbeats in between.
async fn send_frames(
    me: NodeId,
    bus: Bus,
    to: NodeId,
    mut queue: mpsc::Receiver<OutgoingFrame>,
    has_overflowed: Arc<AtomicBool>,
) {
    let subject = frame_subject(&to);
    let mut waiting = Vec::new();
    let (link, mut number) = (u64::from_le_bytes(random::bytes()), 0);
    // A number is skipped after an overflow, so that the receiver drops the subscriptions.
    let skipped = || u64::from(has_overflowed.swap(false, Ordering::Relaxed));
    loop {
        let received = tokio::select! {
            received = queue.recv_many(&mut waiting, MAX_BATCH) => received,
            () = tokio::time::sleep(HEARTBEAT_INTERVAL) => {
                number += skipped();
                let heartbeat = FrameBatch { from: me.clone(), link, number, frames: Vec::new() };
                bus.publish(&subject, &heartbeat).await;
                continue;
            }
        };
        if received == 0 {
            return;
        }
        for frames in divide(combine(waiting.drain(..))) {
            // A batch that can't be sent is counted too, so that the receiver notices.
            number += 1 + skipped();
            metrics::counter!("khet_bus_batches_total").increment(1);
            metrics::counter!("khet_bus_frames_total").increment(frames.len() as u64);
            bus.publish(&subject, &FrameBatch { from: me.clone(), link, number, frames }).await;
        }
    }
}

/// Combines messages of one text to several subscribers into one frame.
fn combine(queued: impl Iterator<Item = OutgoingFrame>) -> Vec<NodeFrame> {
    let mut frames: Vec<NodeFrame> = Vec::new();
    // The text of the last frame, by its address.
    let mut last: Option<Utf8Bytes> = None;
    for frame in queued {
        match frame {
            OutgoingFrame::Message { to, text } => {
                let is_same = last.as_ref().is_some_and(|last| {
                    std::ptr::eq(last.as_str().as_ptr(), text.as_str().as_ptr())
                        && last.len() == text.len()
                });
                match frames.last_mut() {
                    Some(NodeFrame::Message { to: all, .. }) if is_same => all.push(to),
                    _ => frames
                        .push(NodeFrame::Message { to: vec![to], text: text.as_str().to_owned() }),
                }
                last = Some(text);
            }
            OutgoingFrame::Other(frame) => {
                last = None;
                frames.push(frame);
            }
        }
    }
    frames
}

/// Divides frames into batches that NATS does not refuse, and long messages into parts.
fn divide(frames: Vec<NodeFrame>) -> Vec<Vec<NodeFrame>> {
    let mut batches = vec![Vec::new()];
    let mut bytes = 0;
    let mut add = |frame: NodeFrame| {
        bytes += size(&frame);
        match batches.last_mut() {
            Some(batch) if batch.is_empty() || bytes <= MAX_BATCH_BYTES => batch.push(frame),
            _ => {
                bytes = size(&frame);
                batches.push(vec![frame]);
            }
        }
    };
    for frame in frames {
        match frame {
            NodeFrame::Message { to, text } if text.len() > MAX_BATCH_BYTES => {
                let mut rest = text.as_str();
                while rest.len() > MAX_BATCH_BYTES {
                    let (part, tail) = rest.split_at(rest.floor_char_boundary(MAX_BATCH_BYTES));
                    add(NodeFrame::MessagePart { text: part.to_owned() });
                    rest = tail;
                }
                add(NodeFrame::Message { to, text: rest.to_owned() });
            }
            frame => add(frame),
        }
    }
    batches
}

/// Returns the approximate size of a frame in bytes.
fn size(frame: &NodeFrame) -> usize {
    /// Size of the names and numbers of a frame.
    const FIELDS: usize = 256;
    /// Length of the id of a subscriber.
    const ID: usize = 20;
    match frame {
        NodeFrame::Message { to, text } => FIELDS + ID * to.len() + text.len(),
        NodeFrame::MessagePart { text }
        | NodeFrame::Action { action: Action::Chat { text }, .. } => FIELDS + text.len(),
        _ => FIELDS,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::Ordering;

    use axum::extract::ws::Utf8Bytes;
    use tokio::sync::mpsc;

    use super::{
        Links, MAX_BATCH_BYTES, NodeFrame, NodeId, NodeOutbox, OutgoingFrame, OutgoingLink,
        combine, divide,
    };

    #[test]
    fn message_to_many_subscribers_is_sent_once() {
        let event: Utf8Bytes = String::from("event").into();
        let other: Utf8Bytes = String::from("event").into();
        let message = |to, text: &Utf8Bytes| OutgoingFrame::Message { to, text: text.clone() };
        let leave = OutgoingFrame::Other(NodeFrame::Leave { subscriber: 9 });
        let queued =
            [message(1, &event), message(2, &event), leave, message(3, &event), message(4, &other)];
        let frames = combine(queued.into_iter());
        let to = |frame: &NodeFrame| match frame {
            NodeFrame::Message { to, .. } => to.clone(),
            _ => Vec::new(),
        };
        let to: Vec<_> = frames.iter().map(to).collect();
        assert_eq!(to, [vec![1, 2], vec![], vec![3], vec![4]]);
    }

    #[test]
    fn game_drops_subscribers_that_are_unknown_or_do_not_keep_up() {
        let (links, owner) = (Links::default(), NodeId::start("owner"));
        assert_eq!(links.pass_on(&owner, vec![1], "event".to_owned()), [1], "there is no link");
        let game = "7Hc0aWxz".parse().expect("an id");
        let (outbox, mut inbox) = mpsc::channel(2);
        links.add_local(&owner, (game, 1), outbox, Arc::default());
        let (outbox, _full) = mpsc::channel(1);
        links.add_local(&owner, (game, 2), outbox, Arc::default());
        assert_eq!(links.pass_on(&owner, vec![1, 2, 3], "first".to_owned()), [3]);
        assert_eq!(links.pass_on(&owner, vec![1, 2], "second".to_owned()), [2]);
        assert_eq!(links.local(2), None);
        assert_eq!(inbox.try_recv().expect("a message").as_str(), "first");
        assert_eq!(inbox.try_recv().expect("a message").as_str(), "second");
    }

    #[test]
    fn dropped_subscriber_that_does_not_fit_into_the_queue_is_noticed() {
        let (queue, _frames) = mpsc::channel(1);
        let link = OutgoingLink { queue, has_overflowed: Arc::default() };
        let outbox = NodeOutbox { subscriber: 1, link: link.clone() };
        assert!(outbox.try_send(String::from("event").into()));
        assert!(!outbox.try_send(String::from("event").into()));
        assert!(!link.has_overflowed.load(Ordering::Relaxed), "the game drops the subscriber");
        drop(outbox);
        assert!(link.has_overflowed.load(Ordering::Relaxed));
    }

    #[test]
    fn no_batch_is_larger_than_nats_allows() {
        // Quotation marks become twice as long within a frame. Some parts would end within a character.
        let event = r#"{"é":12}"#;
        let text = |length: usize| event.repeat(length.div_ceil(event.len()));
        let texts = [text(20), text(MAX_BATCH_BYTES / 2), text(3 * MAX_BATCH_BYTES), text(30)];
        let frames = texts.iter().cycle().take(20);
        let frames = frames.map(|text| NodeFrame::Message { to: vec![1], text: text.clone() });
        let batches = divide(frames.collect());
        let (mut arrived, mut parts) = (Vec::new(), String::new());
        for batch in &batches {
            let payload = serde_json::to_vec(batch).expect("JSON");
            assert!(!batch.is_empty() && payload.len() < 1_000_000, "{}", payload.len());
            for frame in batch {
                match frame {
                    NodeFrame::MessagePart { text } => parts.push_str(text),
                    NodeFrame::Message { text, .. } => {
                        arrived.push(std::mem::take(&mut parts) + text);
                    }
                    _ => unreachable!("only messages were sent"),
                }
            }
        }
        assert!(arrived.iter().eq(texts.iter().cycle().take(20)));
    }
}
