/**
 * Runs tasks, at most two concurrently.
 * @template T
 * @param {readonly (() => Promise<T>)[]} tasks
 * @returns {Promise<T[]>} in the order of the tasks.
 */
export async function inPairs(tasks) {
  /** @type {T[]} */
  const results = [];
  let next = 0;
  const work = async () => {
    while (next < tasks.length) {
      const index = next++;
      const task = tasks[index];
      if (task !== undefined) results[index] = await task();
    }
  };
  await Promise.all([work(), work()]);
  return results;
}
