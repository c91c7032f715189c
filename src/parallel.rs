//! Tasks on all threads, by number.
//!
//! What iterates in parallel with rayon is compiled anew for every closure, with all that splits and
//! joins. Here that is compiled once, for closures behind a pointer. Each task costs a call through
//! it, so tasks are pieces of work, not single positions.

use std::sync::Mutex;

use rayon::prelude::*;

use crate::error::Result;
use crate::pool::locked;

/// Whether this holds of all tasks. None is begun behind one of which it does not.
pub fn all(tasks: usize, task: &(dyn Fn(usize) -> bool + Sync)) -> bool {
    (0..tasks).into_par_iter().all(task)
}

/// Does all tasks, each of which is handed over: pieces to write to, for example.
pub fn each_of<T: Send>(tasks: impl IntoIterator<Item = T>, task: impl Fn(T) + Sync) {
    fn each(tasks: usize, task: &(dyn Fn(usize) + Sync)) {
        (0..tasks).into_par_iter().for_each(task);
    }
    let tasks = handed_over(tasks);
    each(tasks.len(), &|number| task(taken(&tasks[number])));
}

/// The same of tasks that may fail. None is begun behind one that has.
///
/// # Errors
/// One of those that tasks end with.
pub fn try_each_of<T: Send>(
    tasks: impl IntoIterator<Item = T>,
    task: impl Fn(T) -> Result<()> + Sync,
) -> Result<()> {
    fn try_each(tasks: usize, task: &(dyn Fn(usize) -> Result<()> + Sync)) -> Result<()> {
        (0..tasks).into_par_iter().try_for_each(task)
    }
    let tasks = handed_over(tasks);
    try_each(tasks.len(), &|number| task(taken(&tasks[number])))
}

/// Does all tasks, each of which is handed over, and returns what they come to, in order.
pub fn map_of<T: Send, R: Send>(
    tasks: impl IntoIterator<Item = T>,
    task: impl Fn(T) -> R + Sync,
) -> Vec<R> {
    let tasks: Vec<T> = tasks.into_iter().collect();
    let mut results: Vec<Option<R>> = tasks.iter().map(|_| None).collect();
    each_of(tasks.into_iter().zip(&mut results), |(given, result)| *result = Some(task(given)));
    results.into_iter().map(|result| result.expect("all tasks are done")).collect()
}

/// So many copies of a value, each then set by its number, in pieces of this length.
pub fn filled<T: Clone + Send>(
    length: usize,
    piece: usize,
    value: T,
    of: impl Fn(usize) -> T + Sync,
) -> Vec<T> {
    let mut values = vec![value; length];
    each_of(values.chunks_mut(piece).enumerate(), |(number, values)| {
        for (at, value) in values.iter_mut().enumerate() {
            *value = of(number * piece + at);
        }
    });
    values
}

fn handed_over<T>(tasks: impl IntoIterator<Item = T>) -> Vec<Mutex<Option<T>>> {
    tasks.into_iter().map(|task| Mutex::new(Some(task))).collect()
}

fn taken<T>(task: &Mutex<Option<T>>) -> T {
    locked(task).take().expect("a task is done once")
}
