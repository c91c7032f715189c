//! x
use oware_db::game::{board::*, history::Seat, moves::*, rules::ABAPA};
use oware_db::solver::settle::*;
use std::collections::HashMap;
fn main() {
    let text = std::fs::read_to_string("/work/shared/oracles/exact-settled.tsv").unwrap();
    let mut rows = vec![];
    for l in text.lines().skip(1) {
        let f: Vec<&str> = l.split('\t').collect();
        let n: usize = f[0].parse().unwrap();
        let h: Vec<u8> = f[1..13].iter().map(|x| x.parse().unwrap()).collect();
        let b = Board::new(h.try_into().unwrap()).unwrap();
        let v: Vec<i8> = f[13..16].iter().map(|x| x.parse().unwrap()).collect();
        rows.push((n, b, v[0], v[1], v[2]));
    }
    for n in [8usize, 11, 13] {
        let vals: Vec<i8> = vec![2, 0, -1, 1];
        for &v in &vals {
            let mut verts: Vec<(Board, Seat, i8)> = vec![];
            for r in rows.iter().filter(|r| r.0 == n) {
                if r.2 == v {
                    verts.push((r.1, Seat::South, r.4));
                }
                if r.3 == -v {
                    verts.push((r.1, Seat::North, -r.4));
                }
            }
            if verts.is_empty() {
                continue;
            }
            let map: HashMap<(Board, Seat), u32> =
                verts.iter().enumerate().map(|(i, x)| ((x.0, x.1), i as u32)).collect();
            let mut arena = Arena::default();
            for &(b, s, _) in &verts {
                let f = if s == Seat::South { b.own_rows().get() } else { -b.own_rows().get() };
                let favours = if b.mover.is_empty() || b.opponent.is_empty() {
                    None
                } else if f >= v + 2 {
                    Some(Seat::South)
                } else {
                    Some(Seat::North)
                };
                let mut steps = vec![];
                for m in legal_moves(&ABAPA, &b).iter() {
                    if m.captured == 0
                        && let Some(&t) = map.get(&(m.next, s.other()))
                    {
                        steps.push(Step::To(t));
                    }
                }
                arena.vertices.push(Vertex { to_move: s, favours, steps });
            }
            let t = std::time::Instant::now();
            let r = settle(&arena, LIMITS).unwrap();
            let wrong = r
                .winners
                .iter()
                .zip(&verts)
                .filter(|(w, x)| (if **w == Seat::South { v + 2 } else { v }) != x.2)
                .count();
            println!(
                "n {n} v {v}: {} vertices, wrong {wrong}, {:?}",
                arena.vertices.len(),
                t.elapsed()
            );
        }
    }
}
