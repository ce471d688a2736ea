/**
 * Prints the systems of one scenario; the first is what the others are compared with.
 * @param {string} title
 * @param {Awaited<ReturnType<typeof import('./measure.js').measure>>} results
 */
export function printTable(title, results) {
  const [baseline] = results;
  if (baseline === undefined) return;
  console.log(`\n${title}`);
  console.table(
    Object.fromEntries(
      results.map((result) => [
        result.name,
        {
          'requests/s': Math.round(result.requestsPerSecond),
          'CPU µs/request': Number(result.cpuMicrosPerRequest.toFixed(1)),
          'p99 ms': result.p99Ms,
          'ratio of requests/s': Number((result.requestsPerSecond / baseline.requestsPerSecond).toFixed(2)),
          'ratio of CPU': Number((baseline.cpuMicrosPerRequest / result.cpuMicrosPerRequest).toFixed(2)),
        },
      ]),
    ),
  );
}
