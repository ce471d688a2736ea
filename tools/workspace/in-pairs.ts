/** Runs tasks, at most two concurrently. The results are in the order of the tasks. */
export async function inPairs<T>(tasks: readonly (() => Promise<T>)[]): Promise<T[]> {
  const results: T[] = [];
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
