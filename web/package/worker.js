// The library in a worker of its own: a message in, messages out.

import { open, tasks } from "./core.js";

const library = open();

onmessage = async ({ data: { id, task, wish } }) => {
  const report = (progress) => postMessage({ id, progress });
  try {
    postMessage({ id, done: await tasks[task](await library, wish, report) });
  } catch (error) {
    postMessage({ id, failure: String(error?.message ?? error) });
  }
};
