/**
 * @typedef {{ title: string, seconds: number, outcome: import('./outcome.js').Outcome }} Row
 */

/**
 * Formats the final table, the notes, and the totals as the last line.
 * @param {readonly Row[]} rows
 * @param {readonly string[]} notes of the whole run.
 */
export function summary(rows, notes) {
  const width = Math.max(...rows.map(({ title }) => title.length));
  /** @param {string} title @param {(string | number)[]} cells */
  const line = (title, ...cells) => [title.padEnd(width), ...cells.map((cell) => String(cell).padStart(8))].join(' ');
  const table = rows.map(({ title, seconds, outcome }) =>
    line(title, outcome.passed, outcome.failed, outcome.skipped, `${seconds.toFixed(1)} s`),
  );
  const remarks = [...notes, ...rows.flatMap(({ title, outcome }) => outcome.notes.map((note) => `${title}: ${note}`))];
  return [line('', 'passed', 'failed', 'skipped', 'time'), ...table, '', ...remarks, '', totals(rows)].join('\n');
}

/** @param {readonly Row[]} rows @returns {string} `N passed, N failed, N skipped` */
export function totals(rows) {
  const sum = (/** @type {'passed' | 'failed' | 'skipped'} */ what) =>
    rows.reduce((total, { outcome }) => total + outcome[what], 0);
  return `${sum('passed')} passed, ${sum('failed')} failed, ${sum('skipped')} skipped`;
}
