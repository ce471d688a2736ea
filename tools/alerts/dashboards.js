import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { workspaceRoot } from '../workspace/root.ts';

const folder = join(workspaceRoot, 'deploy/grafana/dashboards');

/**
 * The properties of a Grafana dashboard that the tools read.
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

/** All dashboards with their file names. */
export const dashboards = readdirSync(folder)
  .filter((file) => file.endsWith('.json'))
  .map((file) => ({ file, board: /** @type {Board} */ (JSON.parse(readFileSync(join(folder, file), 'utf8'))) }));

/** Returns all PromQL expressions of a dashboard. @param {Board} board */
export function expressionsOf({ panels }) {
  return panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
}

/** Returns the tiles that are green while the service is healthy. */
export function tiles() {
  return dashboards.flatMap(({ board: { panels } }) =>
    panels.filter(
      ({ type, fieldConfig }) => type === 'stat' && (fieldConfig?.defaults.thresholds?.steps.length ?? 0) > 1,
    ),
  );
}

/** Returns the colour that Grafana shows for a value. @param {Panel} panel @param {number} value */
export function colourOf({ fieldConfig }, value) {
  const steps = fieldConfig?.defaults.thresholds?.steps ?? [];
  return steps.findLast((step) => step.value === null || value >= step.value)?.color;
}
