import { colourOf, dashboards, tiles } from './dashboards.js';
import { alerts, hurried } from './rules.js';

/** @typedef {import('./prometheus.js').Prometheus} Prometheus */

/** Formats the query of a panel for one instance. @param {string} expression @param {string} instance */
function asked(expression, instance) {
  return hurried(expression).replaceAll('$instance', instance);
}

/**
 * Returns the titles of the tiles that are red for an instance.
 * @param {Prometheus} prometheus
 * @param {string} instance
 */
export async function redTiles(prometheus, instance) {
  const colours = await Promise.all(
    tiles().map(async (tile) => {
      const samples = await prometheus.query(asked(tile.targets?.[0]?.expr ?? '', instance));
      return samples.some(({ value: [, value] }) => colourOf(tile, Number(value)) === 'red') ? [tile.title] : [];
    }),
  );
  return colours.flat().sort();
}

/** Finds the tile whose link leads to the same page as an alert. @param {string} name of the alert */
export function tileOf(name) {
  const url = alerts().find(({ alert }) => alert === name)?.annotations.runbook_url;
  const tile = tiles().find(({ links = [] }) => links[0]?.url === url);
  if (tile === undefined) throw new Error(`No tile of a dashboard leads where the alert ${name} does.`);
  return tile.title;
}

/**
 * Returns the panels without data for any of these instances, one entry per query.
 * @param {Prometheus} prometheus
 * @param {readonly string[]} instances
 */
export async function emptyPanels(prometheus, instances) {
  const empty = [];
  for (const { board } of dashboards) {
    for (const { title, targets = [] } of board.panels) {
      for (const { expr } of targets) {
        const samples = await prometheus.query(asked(expr, instances.join('|')));
        if (!samples.some(({ value: [, value] }) => Number.isFinite(Number(value)))) {
          empty.push(`${board.title} / ${title}: ${expr}`);
        }
      }
    }
  }
  return empty;
}
