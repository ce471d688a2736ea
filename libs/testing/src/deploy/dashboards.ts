import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { workspaceRoot } from '../app/app-process.js';

/** The properties of a Grafana dashboard that tests read. */
export interface Board {
  readonly uid: string;
  readonly title: string;
  readonly panels: readonly Panel[];
  readonly templating: { readonly list: readonly { readonly name: string }[] };
}

export interface Panel {
  readonly id: number;
  /** `row`, `stat`, `timeseries` */
  readonly type: string;
  readonly title: string;
  readonly description?: string;
  readonly datasource?: object;
  readonly gridPos: Readonly<Record<'x' | 'y' | 'w' | 'h', number>>;
  readonly targets?: readonly { readonly expr: string; readonly datasource: object }[];
  readonly links?: readonly { readonly url: string }[];
  readonly fieldConfig?: { readonly defaults: { readonly thresholds?: { readonly steps: readonly Threshold[] } } };
}

interface Threshold {
  readonly color: string;
  readonly value: number | null;
}

/** Reads all dashboards of `deploy/`. */
export function dashboards(): readonly { readonly file: string; readonly board: Board }[] {
  const folder = join(workspaceRoot(), 'deploy/grafana/dashboards');
  const files = readdirSync(folder).filter((file) => file.endsWith('.json'));
  return files.map((file) => ({ file, board: JSON.parse(readFileSync(join(folder, file), 'utf8')) as Board }));
}

/** Returns the tiles that are green while the service is healthy. */
export function tiles(): Panel[] {
  return dashboards().flatMap(({ board: { panels } }) =>
    panels.filter(
      ({ type, fieldConfig }) => type === 'stat' && (fieldConfig?.defaults.thresholds?.steps.length ?? 0) > 1,
    ),
  );
}

/** Returns the colour that Grafana shows for a value. */
export function colourOf({ fieldConfig }: Panel, value: number): string | undefined {
  const steps = fieldConfig?.defaults.thresholds?.steps ?? [];
  return steps.findLast((step) => step.value === null || value >= step.value)?.color;
}
