import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { workspaceRoot } from '../workspace/root.js';

const file = join(workspaceRoot, 'deploy/prometheus/rules.yml');
/** What a minute or an hour is in the check: some scrapes, one every two seconds. */
const SHORT = { wait: '4s', range: '8s' };

/**
 * @typedef {object} Alert
 * @property {string} alert its name
 * @property {string} expr
 * @property {string} [for]
 * @property {{ summary: string, runbook_url: string }} annotations
 */

/** @returns {{ groups: { name: string, rules: Alert[] }[] }} */
function read() {
  return parse(readFileSync(file, 'utf8'));
}

/** All alerts. */
export function alerts() {
  return read().groups.flatMap(({ rules }) => rules);
}

/** PromQL whose ranges are short. @param {string} expression */
export function hurried(expression) {
  return expression.replaceAll(/\[(?:\d+[smhd]|\$__rate_interval)\]/g, `[${SHORT.range}]`);
}

/** The same rules as a file for Prometheus, without the patience that they have in production. */
export function hurriedRules() {
  const groups = read().groups.map((group) => ({
    ...group,
    interval: '1s',
    rules: group.rules.map((rule) => ({
      ...rule,
      expr: hurried(rule.expr),
      ...(rule.for !== undefined && { for: SHORT.wait }),
    })),
  }));
  return stringify({ groups });
}
