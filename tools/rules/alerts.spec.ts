import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { tiles } from '@items/testing';
import { parse } from 'yaml';

const workspace = join(__dirname, '../..');
const folder = join(workspace, 'deploy/prometheus');
const RUNBOOKS = 'https://github.com/items-api/items/blob/main/docs/runbooks/';
const hasPromtool = spawnSync('promtool', ['--version']).error === undefined;

function yaml(file: string) {
  return parse(readFileSync(join(folder, file), 'utf8'));
}

const alerts: Alert[] = yaml('rules.yml').groups.flatMap(({ rules }: { rules: object[] }) =>
  rules.filter((rule) => 'alert' in rule),
);

interface Alert {
  alert: string;
  labels: Record<string, string>;
  annotations: Record<string, string>;
}

/** Converts `DatabaseAway` to `database-away`. */
function pageOf(alert: string) {
  return alert.replaceAll(/(?!^)[A-Z]/g, '-$&').toLowerCase();
}

describe('deploy/prometheus/rules.yml', () => {
  it('has an alert for each runbook, and a runbook for each alert, by the same name', () => {
    const pages = readdirSync(join(workspace, 'docs/runbooks'));
    expect(alerts.map(({ alert }) => `${pageOf(alert)}.md`).sort()).toEqual(pages.sort());
    const named = alerts.map(({ alert, annotations }) => [annotations.runbook_url, `${RUNBOOKS}${pageOf(alert)}.md`]);
    expect(named.filter(([url, expected]) => url !== expected)).toEqual([]);
  });

  it('describes each alert, with its severity', () => {
    for (const { alert, labels, annotations } of alerts) {
      expect(annotations.summary).toMatch(/\{\{ \$labels\.instance \}\}.*\.$/);
      expect(['critical', 'warning']).toContain(labels.severity);
      const page = readFileSync(join(workspace, 'docs/runbooks', `${pageOf(alert)}.md`), 'utf8');
      expect(page).toContain(`\n- The alert \`${alert}\`.\n`);
    }
  });

  it('has a tile for each alert, which links to the same page', () => {
    const links = tiles().map(({ links: [link] = [] }) => link?.url);
    expect(links.sort()).toEqual(alerts.map(({ annotations }) => annotations.runbook_url).sort());
  });

  it('is tested, alert by alert', () => {
    const { tests }: { tests: { alert_rule_test?: { alertname: string; exp_alerts: object[] }[] }[] } =
      yaml('rules.test.yml');
    const raised = tests.flatMap(({ alert_rule_test: cases = [] }) =>
      cases.filter(({ exp_alerts: expected }) => expected.length > 0).map(({ alertname }) => alertname),
    );
    expect([...new Set(raised)].sort()).toEqual(alerts.map(({ alert }) => alert).sort());
  });

  (hasPromtool ? it : it.skip)('passes its tests (promtool, of the Debian package prometheus)', () => {
    expect(execFileSync('promtool', ['check', 'rules', 'rules.yml'], { cwd: folder }).toString()).toContain('SUCCESS');
    const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', 'rules.test.yml'], { cwd: folder });
    expect([status, String(stdout), String(stderr)]).toEqual([0, expect.stringContaining('SUCCESS'), '']);
  });
});
