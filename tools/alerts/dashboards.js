import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { workspaceRoot } from '../workspace/root.js';

const folder = join(workspaceRoot, 'deploy/grafana/dashboards');

/**
 * What is read here of a dashboard of Grafana.
 * @typedef {object} Board
 * @property {string} uid
 * @property {string} title
 * @property {readonly Panel[]} panels
 * @property {{ list: readonly { name: string }[] }} templating
 */

/**
 * @typedef {object} Panel
 * @property {number} id
 * @property {string} type `row`, `stat`, `timeseries`
 * @property {string} title
 * @property {string} [description]
 * @property {object} [datasource]
 * @property {{ x: number, y: number, w: number, h: number }} gridPos
 * @property {readonly { expr: string, datasource: object }[]} [targets]
 * @property {readonly { url: string }[]} [links]
 * @property {{ defaults: { thresholds?: { steps: readonly { color: string, value: number | null }[] } } }} [fieldConfig]
 */

/** All dashboards, by their files. */
export const dashboards = readdirSync(folder)
  .filter((file) => file.endsWith('.json'))
  .map((file) => ({ file, board: /** @type {Board} */ (JSON.parse(readFileSync(join(folder, file), 'utf8'))) }));

/** What a dashboard asks Prometheus. @param {Board} board */
export function expressionsOf({ panels }) {
  return panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
}

/** The tiles that are green while nothing is wrong. */
export function tiles() {
  return dashboards.flatMap(({ board: { panels } }) =>
    panels.filter(
      ({ type, fieldConfig }) => type === 'stat' && (fieldConfig?.defaults.thresholds?.steps.length ?? 0) > 1,
    ),
  );
}

/** The colour that Grafana gives to a value. @param {Panel} panel @param {number} value */
export function colourOf({ fieldConfig }, value) {
  const steps = fieldConfig?.defaults.thresholds?.steps ?? [];
  return steps.findLast((step) => step.value === null || value >= step.value)?.color;
}
