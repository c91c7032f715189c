//! Strongly connected components of a graph, its groups of mutually reachable nodes, after Tarjan
//! (1972), without recursion: a layer has paths of millions of positions.

/// Calls `found` once for each strongly connected component, a node alone included, and for none
/// before those that can be reached from it.
pub fn each_component(
    nodes: usize,
    successors: impl Fn(u32) -> Vec<u32>,
    found: impl FnMut(&[u32]),
) {
    let mut walk = Walk {
        numbers: vec![UNSEEN; nodes],
        reach: vec![0; nodes],
        waiting: Vec::new(),
        next: 0,
        found,
    };
    for node in 0..nodes as u32 {
        if walk.numbers[node as usize] == UNSEEN {
            walk.from(node, &successors);
        }
    }
}

const UNSEEN: u32 = u32::MAX;
/// Number of a node whose component has been found.
const DONE: u32 = u32::MAX - 1;

struct Walk<F> {
    /// Nodes in the order of the walk.
    numbers: Vec<u32>,
    /// The smallest number of a waiting node that each is known to reach.
    reach: Vec<u32>,
    /// Nodes that have been seen and whose component has not been found.
    waiting: Vec<u32>,
    next: u32,
    found: F,
}

/// A node on the path, and its successors that are left to try.
struct PathNode {
    node: u32,
    left: Vec<u32>,
}

impl<F: FnMut(&[u32])> Walk<F> {
    fn from(&mut self, start: u32, successors: &impl Fn(u32) -> Vec<u32>) {
        let mut path = vec![self.enter(start, successors)];
        while let Some(step) = path.last_mut() {
            let node = step.node;
            match step.left.pop() {
                Some(to) if self.numbers[to as usize] == UNSEEN => {
                    path.push(self.enter(to, successors))
                }
                Some(to) if self.numbers[to as usize] == DONE => {}
                Some(to) => self.reaches(node, self.numbers[to as usize]),
                None => {
                    path.pop();
                    self.leave(node, path.last().map(|before| before.node));
                }
            }
        }
    }

    fn enter(&mut self, node: u32, successors: &impl Fn(u32) -> Vec<u32>) -> PathNode {
        self.numbers[node as usize] = self.next;
        self.reach[node as usize] = self.next;
        self.next += 1;
        self.waiting.push(node);
        PathNode { node, left: successors(node) }
    }

    fn reaches(&mut self, node: u32, number: u32) {
        let reach = &mut self.reach[node as usize];
        *reach = number.min(*reach);
    }

    /// Leaves a node; the first node of a component takes the others with it.
    fn leave(&mut self, node: u32, before: Option<u32>) {
        let reach = self.reach[node as usize];
        if let Some(before) = before {
            self.reaches(before, reach);
        }
        if reach == self.numbers[node as usize] {
            let start =
                self.waiting.iter().rposition(|&waiting| waiting == node).expect("it waits");
            let component = self.waiting.split_off(start);
            for &node in &component {
                self.numbers[node as usize] = DONE;
            }
            (self.found)(&component);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn components(graph: &[&[u32]]) -> Vec<Vec<u32>> {
        let mut found = Vec::new();
        each_component(
            graph.len(),
            |node| graph[node as usize].to_vec(),
            |component| {
                let mut component = component.to_vec();
                component.sort();
                found.push(component);
            },
        );
        found.sort();
        found
    }

    #[test]
    fn are_mutually_reachable() {
        let two_rings: [&[u32]; 7] = [&[1], &[2], &[0, 3], &[4], &[3], &[5, 4], &[0, 5]];
        assert_eq!(components(&two_rings), [vec![0, 1, 2], vec![3, 4], vec![5], vec![6]]);
        let chain: [&[u32]; 3] = [&[1, 2], &[2], &[]];
        assert_eq!(components(&chain), [[0], [1], [2]]);
        let eight: [&[u32]; 5] = [&[1], &[2, 3], &[0], &[4], &[1]];
        assert_eq!(components(&eight), [[0, 1, 2, 3, 4]]);
    }

    #[test]
    fn are_found_on_long_paths() {
        let nodes = 1_000_000;
        let mut sizes = Vec::new();
        each_component(
            nodes,
            |node| vec![(node + 1) % nodes as u32],
            |component| sizes.push(component.len()),
        );
        assert_eq!(sizes, [nodes]);
    }
}
