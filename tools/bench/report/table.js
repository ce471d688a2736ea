/**
 * Prints the results of one row.
 * @param {import('./run.js').MeasuredRow} row
 */
export function printTable({ title, connections, aim, results }) {
  const [reference] = results;
  const aimed = aim === undefined ? '' : `, aim ${aim.toFixed(2)}`;
  console.log(`\n${title}, ${connections} connection${connections === 1 ? '' : 's'}${aimed}`);
  console.table(
    Object.fromEntries(
      results.map((result) => [
        result.name,
        {
          'requests/s': Math.round(result.requestsPerSecond.median),
          'CPU µs': round(result.cpuMicros.median, 1),
          'added µs': result === reference ? '' : round(result.addedMicros.median, 1),
          'CPU ratio': result === reference ? '' : round(result.ratio.median, 2),
          quartiles: result === reference ? '' : `${result.ratio.lower.toFixed(2)}–${result.ratio.upper.toFixed(2)}`,
          'p50 ms': round(result.p50Ms, 2),
          'p99 ms': round(result.p99Ms, 2),
          'RSS MB': Math.round(result.rssMb),
        },
      ]),
    ),
  );
}

/** @param {number} value @param {number} digits */
function round(value, digits) {
  return Number(value.toFixed(digits));
}
