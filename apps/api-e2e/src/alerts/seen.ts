import { colourOf, dashboards, tiles } from '@items/testing';

import type { Prometheus } from './prometheus.js';
import { alerts, hurried } from './rules.js';

/** Formats the query of a panel. @param instances joined by `|`. */
function queryOf(expression: string, instances: string): string {
  return hurried(expression).replaceAll('$instance', instances);
}

/** Returns the titles of the tiles that are red for an instance. */
export async function redTiles(prometheus: Prometheus, instance: string): Promise<string[]> {
  const titles = await Promise.all(
    tiles().map(async (tile) => {
      const values = await prometheus.query(queryOf(tile.targets?.[0]?.expr ?? '', instance));
      return values.some((value) => colourOf(tile, value) === 'red') ? [tile.title] : [];
    }),
  );
  return titles.flat().sort();
}

/** Returns the title of the tile that links to the same runbook as an alert. */
export function tileOf(name: string): string {
  const url = alerts().find(({ alert }) => alert === name)?.annotations.runbook_url;
  const tile = tiles().find(({ links = [] }) => links[0]?.url === url);
  if (tile === undefined) throw new Error(`No tile of a dashboard leads where the alert ${name} does.`);
  return tile.title;
}

/** Returns the queries of panels that have no data for any of these instances. */
export async function emptyPanels(prometheus: Prometheus, instances: readonly string[]): Promise<string[]> {
  const empty: string[] = [];
  for (const { board } of dashboards()) {
    for (const { title, targets = [] } of board.panels) {
      for (const { expr } of targets) {
        const values = await prometheus.query(queryOf(expr, instances.join('|')));
        if (!values.some(Number.isFinite)) empty.push(`${board.title} / ${title}: ${expr}`);
      }
    }
  }
  return empty;
}
