import { mostReadable } from './scale.js';
import { element, svg, text } from './svg.js';

/** @typedef {import('./run.js').Run} Run */
/** @typedef {import('./run.js').MeasuredRow} MeasuredRow */

const WIDTH = 820;
const LEFT = 270;
const RIGHT = 70;
const TOP = 62;
const ROW = 26;

/**
 * Bar chart: CPU time of bare Fastify divided by that of the service, per row, with its aim.
 * @param {Run} run @param {number} connections @param {string} note
 */
export function ratioPlot(run, connections, note) {
  const rows = run.rows.filter((row) => row.connections === connections && row.aim !== undefined);
  const bars = rows.flatMap(({ title, aim, results }) =>
    results
      .slice(1)
      .filter(({ name }) => name !== 'usual Nest')
      .map(({ name, ratio }) => ({ label: name === 'the service' ? title : `${name} beside a get`, aim, ratio })),
  );
  const { end, ticks } = mostReadable(Math.max(...bars.map(({ aim = 0, ratio }) => Math.max(aim, ratio.upper))));
  const at = (/** @type {number} */ value) => LEFT + (value / end) * (WIDTH - LEFT - RIGHT);
  const height = TOP + bars.length * ROW + 34;
  const parts = axisX(ticks, at, height);
  for (const [index, { label, aim = 0, ratio }] of bars.entries()) {
    const y = TOP + index * ROW;
    const middle = y + ROW / 2 - 2;
    parts.push(
      text(LEFT - 8, y + 16, label, 'end'),
      element('rect', { class: 'c1', x: LEFT, y: y + 3, width: at(ratio.median) - LEFT, height: ROW - 10 }),
      element('line', { class: 'spread', x1: at(ratio.lower), x2: at(ratio.upper), y1: middle, y2: middle }),
      element('line', { class: 'aim', x1: at(aim), x2: at(aim), y1: y, y2: y + ROW - 4 }),
      text(WIDTH - RIGHT + 12, y + 16, ratio.median.toFixed(2)),
    );
  }
  const title = `The baseline's CPU as a share of the service's, ${connections} connections, and what is aimed at`;
  return svg({ title, note, width: WIDTH, height }, parts);
}

/**
 * Line chart: one figure of each system by the number of connections.
 * @param {readonly MeasuredRow[]} rows of one request.
 * @param {{ what: string, of: (result: import('../measure.js').Result) => number }} figure
 * @param {string} note
 */
export function connectionsPlot(rows, { what, of }, note) {
  const [left, bottom, width] = [70, 300, 560];
  const names = rows[0]?.results.map(({ name }) => name) ?? [];
  const { end, ticks } = mostReadable(Math.max(...rows.flatMap(({ results }) => results.map(of))));
  const x = (/** @type {number} */ index) => left + 30 + (index * (width - left - 150)) / Math.max(1, rows.length - 1);
  const y = (/** @type {number} */ value) => bottom - (value / end) * (bottom - TOP);
  const parts = ticks.flatMap((tick) => [
    element('line', { class: 'axis', x1: left, x2: width - 100, y1: y(tick), y2: y(tick) }),
    text(left - 8, y(tick) + 4, tick.toLocaleString('en'), 'end'),
  ]);
  for (const [index, { connections }] of rows.entries())
    parts.push(text(x(index), bottom + 18, `${connections}`, 'middle'));
  parts.push(text(left, bottom + 36, 'connections', 'note'));
  const labelled = labelPlaces(names.map((_, index) => y(of(resultAt(rows.at(-1), index)))));
  for (const [index, name] of names.entries()) {
    const points = rows.map((row, place) => `${x(place)},${y(of(resultAt(row, index))).toFixed(1)}`);
    parts.push(
      element('polyline', { class: `line s${index}`, points: points.join(' ') }),
      text(width - 94, (labelled[index] ?? 0) + 4, name, `c${index}`),
    );
  }
  return svg({ title: `${rows[0]?.title ?? ''}: ${what}`, note, width, height: bottom + 50 }, parts);
}

/** @param {MeasuredRow | undefined} row @param {number} index */
function resultAt(row, index) {
  const result = row?.results[index];
  if (result === undefined) throw new Error('Each number of connections has the same systems.');
  return result;
}

/** Computes positions of labels at the ends of lines, so that they do not overlap. @param {readonly number[]} wanted */
function labelPlaces(wanted) {
  const places = [...wanted];
  let below = -Infinity;
  for (const index of [...wanted.keys()].sort((a, b) => (wanted[a] ?? 0) - (wanted[b] ?? 0))) {
    below = Math.max(wanted[index] ?? 0, below + 15);
    places[index] = below;
  }
  return places;
}

/** @param {readonly number[]} ticks @param {(value: number) => number} at @param {number} height */
function axisX(ticks, at, height) {
  return ticks.flatMap((tick) => [
    element('line', { class: 'axis', x1: at(tick), x2: at(tick), y1: TOP - 6, y2: height - 26 }),
    text(at(tick), height - 10, String(tick), 'middle'),
  ]);
}
