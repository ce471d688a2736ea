import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { parse, stringify } from 'yaml';

const FILE = join(__dirname, '../../../../deploy/prometheus/rules.yml');
/** Durations instead of minutes and hours: a few scrapes, at an interval of two seconds. */
const SHORT = { wait: '4s', range: '8s' };
/** Range for counting restarts, each of which takes some seconds. */
const RANGE_OF_RESTARTS = '40s';

export interface Alert {
  /** Its name. */
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
  readonly annotations: { readonly summary: string; readonly runbook_url: string };
}

interface Group {
  readonly name: string;
  readonly rules: readonly (Alert | { readonly record: string; readonly expr: string })[];
}

function groups(): readonly Group[] {
  return (parse(readFileSync(FILE, 'utf8')) as { groups: Group[] }).groups;
}

export function alerts(): readonly Alert[] {
  return groups().flatMap(({ rules }) => rules.flatMap((rule) => ('alert' in rule ? [rule] : [])));
}

/** Shortens the ranges of a PromQL expression. */
export function hurried(expression: string): string {
  const range = expression.includes('changes(') ? RANGE_OF_RESTARTS : SHORT.range;
  return expression.replaceAll(/\[(?:\d+[smhd]|\$__rate_interval)\]/g, `[${range}]`);
}

/** Returns the rules as a file for Prometheus, with short ranges and without the delays of production. */
export function hurriedRules(): string {
  const hurriedGroups = groups().map((group) => ({
    ...group,
    interval: '1s',
    rules: group.rules.map((rule) => ({
      ...rule,
      expr: hurried(rule.expr),
      ...('for' in rule && { for: SHORT.wait }),
    })),
  }));
  return stringify({ groups: hurriedGroups });
}
