import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { workspaceRoot } from '../workspace/root.ts';

const file = join(workspaceRoot, 'deploy/prometheus/rules.yml');
/** Replacement for minutes and hours in the check: a few scrapes at an interval of two seconds. */
const SHORT = { wait: '4s', range: '8s' };

/**
 * @typedef {object} Alert
 * @property {string} alert name.
 * @property {string} expr
 * @property {string} [for]
 * @property {{ summary: string, runbook_url: string }} annotations
 */

/** @returns {{ groups: { name: string, rules: (Alert | { record: string, expr: string })[] }[] }} */
function read() {
  return parse(readFileSync(file, 'utf8'));
}

export function alerts() {
  return read().groups.flatMap(({ rules }) => rules.flatMap((rule) => ('alert' in rule ? [rule] : [])));
}

/** Shortens the ranges of a PromQL expression. @param {string} expression */
export function hurried(expression) {
  return expression.replaceAll(/\[(?:\d+[smhd]|\$__rate_interval)\]/g, `[${SHORT.range}]`);
}

/** Returns the rules as a file for Prometheus, with short ranges and without the delays of production. */
export function hurriedRules() {
  const groups = read().groups.map((group) => ({
    ...group,
    interval: '1s',
    rules: group.rules.map((rule) => ({
      ...rule,
      expr: hurried(rule.expr),
      ...('for' in rule && { for: SHORT.wait }),
    })),
  }));
  return stringify({ groups });
}
