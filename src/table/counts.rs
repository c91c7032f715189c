//! How often letters came, and what they cost.
//!
//! A letter costs the binary logarithm of how rarely it comes in its class, in 64ths of a bit. All
//! is in whole numbers, so that the same counts cost the same on any machine.

/// How often each letter came in each context that came at all.
#[derive(Debug)]
pub struct LetterCounts {
    /// Contexts, and where their letters end.
    contexts: Vec<(u32, u32)>,
    /// Letters, and how often they came.
    letters: Vec<(u8, u32)>,
}

/// Contexts and letters, while they are counted.
pub struct Tally {
    /// By context: one more than where its counts are.
    starts: Vec<u32>,
    /// By letter, for each context that came.
    all: Vec<u32>,
    signs: usize,
}

/// Letters that are counted together.
const SOME: usize = 64;

impl Tally {
    /// One of this many contexts and signs, none of which has come.
    pub fn new(contexts: usize, signs: usize) -> Tally {
        Tally { starts: vec![0; contexts], all: Vec::new(), signs }
    }

    /// Counts contexts and letters: a context is all of a number but its lowest byte, which is the
    /// letter.
    pub fn add(&mut self, seen: &[u32]) {
        // First where some counts are, then the counts: a processor that knows where it writes reads
        // on before it has written.
        for seen in seen.chunks(SOME) {
            let mut places = [0; SOME];
            for (place, &seen) in places.iter_mut().zip(seen) {
                let start = &mut self.starts[(seen >> 8) as usize];
                if *start == 0 {
                    *start = self.all.len() as u32 + 1;
                    self.all.resize(self.all.len() + self.signs, 0);
                }
                *place = *start as usize - 1 + (seen & 0xff) as usize;
            }
            places[..seen.len()].iter().for_each(|&place| self.all[place] += 1);
        }
    }

    /// What has come.
    pub fn counts(&self) -> LetterCounts {
        let mut counts = LetterCounts { contexts: Vec::new(), letters: Vec::new() };
        for (context, &start) in (0..).zip(&self.starts).filter(|(_, start)| **start > 0) {
            let letters = (0..).zip(&self.all[start as usize - 1..][..self.signs]);
            let came = letters.filter(|(_, count)| **count > 0);
            counts.letters.extend(came.map(|(letter, &count)| (letter, count)));
            counts.contexts.push((context, counts.letters.len() as u32));
        }
        counts
    }
}

impl LetterCounts {
    /// The contexts that came most often, at most this many.
    pub fn most_frequent(&self, most: usize) -> LetterCounts {
        let total = |&at: &usize| self.letters(at).iter().map(|&(_, count)| count).sum::<u32>();
        let mut order: Vec<usize> = (0..self.len()).collect();
        order.sort_by_cached_key(|at| std::cmp::Reverse(total(at)));
        order.truncate(most);
        order.sort_unstable();
        let mut frequent = LetterCounts { contexts: Vec::new(), letters: Vec::new() };
        for at in order {
            frequent.letters.extend(self.letters(at));
            frequent.contexts.push((self.contexts[at].0, frequent.letters.len() as u32));
        }
        frequent
    }

    /// How often each sign comes in each class, given the class of contexts by number and name.
    pub fn sums(
        &self,
        class: impl Fn(usize, usize) -> u8,
        classes: usize,
        signs: usize,
    ) -> Vec<Vec<u64>> {
        let mut sums = vec![vec![0; signs]; classes];
        for at in 0..self.len() {
            let sums = &mut sums[usize::from(class(at, self.context(at)))];
            for &(letter, count) in self.letters(at) {
                sums[usize::from(letter)] += u64::from(count);
            }
        }
        sums
    }

    /// How many contexts came.
    pub fn len(&self) -> usize {
        self.contexts.len()
    }

    /// One of them.
    pub fn context(&self, at: usize) -> usize {
        self.contexts[at].0 as usize
    }

    /// Its letters, and how often they came.
    pub fn letters(&self, at: usize) -> &[(u8, u32)] {
        let start = at.checked_sub(1).map_or(0, |before| self.contexts[before].1);
        &self.letters[start as usize..self.contexts[at].1 as usize]
    }
}

/// What each sign costs in each class, in 64ths of a bit: by sign, then by class.
pub struct Costs {
    by_sign: Vec<u32>,
    /// How many classes there are.
    pub classes: usize,
}

impl Costs {
    /// Those of classes with these counts of signs.
    pub fn new(sums: &[Vec<u64>], signs: usize) -> Costs {
        let classes = sums.len();
        let mut by_sign = vec![0; signs * classes];
        for (class, sums) in sums.iter().enumerate() {
            for (sign, cost) in costs(sums).into_iter().enumerate() {
                by_sign[sign * classes + class] = cost;
            }
        }
        Costs { by_sign, classes }
    }

    /// What a sign costs in each class.
    #[inline(always)]
    pub fn of_sign(&self, sign: usize) -> &[u32] {
        &self.by_sign[sign * self.classes..][..self.classes]
    }

    /// What some letters cost in every class.
    #[inline(always)]
    pub fn of(&self, counts: &[(u8, u32)], all: &mut [u32]) {
        all.fill(0);
        for &(letter, count) in counts {
            let costs = self.of_sign(letter.into());
            let count = count.min(MOST);
            all.iter_mut().zip(costs).for_each(|(all, cost)| *all += count * cost);
        }
    }
}

/// Letters of a context that count: with more of them costs might overflow.
const MOST: u32 = 1 << 16;

/// What each sign costs in a class, in 64ths of a bit. One that never came costs something, too.
pub fn costs(sums: &[u64]) -> Vec<u32> {
    let total = 16 * sums.iter().sum::<u64>() + sums.len() as u64;
    let whole = logarithm(total);
    sums.iter().map(|&sum| whole - logarithm(16 * sum + 1)).collect()
}

/// The binary logarithm of a number from 1 on, in 64ths.
pub fn logarithm(number: u64) -> u32 {
    let whole = number.ilog2();
    // The rest is between 1 and 2; each squaring yields a bit of its logarithm.
    let mut rest = (u128::from(number) << 31 >> whole) as u64;
    let mut logarithm = whole;
    for _ in 0..6 {
        rest = (rest * rest) >> 31;
        let bit = rest >> 32;
        rest >>= bit;
        logarithm = 2 * logarithm + bit as u32;
    }
    logarithm
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_are_what_they_are() {
        for number in (1..5000).chain([u64::MAX, 1 << 40, (1 << 40) - 1]) {
            let exact = 64.0 * (number as f64).log2();
            assert!((f64::from(logarithm(number)) - exact).abs() <= 1.1, "{number}");
        }
    }

    #[test]
    fn letters_are_counted_by_context() {
        let seen = [vec![7 << 8 | 2, 3 << 8, 7 << 8 | 2], vec![7 << 8 | 1, 3 << 8, 5 << 8]];
        let mut tally = Tally::new(8, 4);
        seen.iter().for_each(|seen| tally.add(seen));
        let counts = tally.counts();
        let all = |counts: &LetterCounts| {
            let one = |at| (counts.context(at), counts.letters(at).to_vec());
            (0..counts.len()).map(one).collect::<Vec<_>>()
        };
        let (three, five, seven) =
            ((3, vec![(0, 2)]), (5, vec![(0, 1)]), (7, vec![(1, 1), (2, 2)]));
        assert_eq!(all(&counts), [three.clone(), five, seven.clone()]);
        assert_eq!(all(&counts.most_frequent(2)), [three, seven]);
        let sums = counts.sums(|at, context| u8::from(at == 1 || context == 7), 2, 4);
        assert_eq!(sums, [[2, 0, 0, 0], [1, 1, 2, 0]]);
    }
}
