import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dashboards, type Board } from '@items/testing';
import { stringify } from 'yaml';

const workspace = join(__dirname, '../..');
const hasPromtool = spawnSync('promtool', ['--version']).error === undefined;

/** Returns the words in backticks. */
const quoted = (cell: string): string[] => [...cell.matchAll(/`(\w+)`/g)].map(([, word = '']) => word);

/** Names and labels of docs/metrics.md, which another test compares with the served metrics. */
const known = new Map(
  readFileSync(join(workspace, 'docs/metrics.md'), 'utf8')
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .filter(([, names = '']) => /^(?:`\w+` ?)+$/.test(names))
    .flatMap(([, names = '', , labels = '']) =>
      quoted(names).map((name) => [name, quoted(labels)] as [string, string[]]),
    ),
).set('up', []);
/** Labels that Prometheus or a histogram adds. */
const COMMON = ['job', 'instance', 'le'];

function metricOf(name: string) {
  return known.has(name) ? name : name.replace(/_(bucket|sum|count)$/, '');
}

function metricsOf(expression: string) {
  return [...expression.matchAll(/\b(?:(?:items|nodejs|process)_\w+|up)\b/g)].map(([name]) => metricOf(name));
}

/** Returns the labels that an expression selects or groups by. */
function labelsOf(expression: string) {
  const selected = [...expression.matchAll(/(\w+)(?:=|!=|=~|!~)"/g)].map(([, label = '']) => label);
  const grouped = [...expression.matchAll(/(?:by|on|without) \(([^)]*)\)/g)].flatMap(([, list = '']) =>
    list.split(',').map((label) => label.trim()),
  );
  return [...selected, ...grouped];
}

function expressionsOf({ panels }: Board) {
  return panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
}

describe.each(dashboards())('deploy/grafana/dashboards/$file', ({ file, board }) => {
  const panels = board.panels.filter(({ type }) => type !== 'row');

  it('has a unique id, and queries the chosen Prometheus', () => {
    expect(board).toMatchObject({ uid: `items-${file.replace('.json', '')}`, tags: ['items'], schemaVersion: 41 });
    expect(board.templating.list.map(({ name }) => name)).toEqual(['datasource', 'instance']);
    for (const { datasource, targets = [] } of panels)
      for (const asked of [datasource, ...targets.map((target) => target.datasource)])
        expect(asked).toEqual({ type: 'prometheus', uid: '${datasource}' });
  });

  it('has few panels, each with a description', () => {
    expect(panels.length).toBeLessThanOrEqual(24);
    expect(panels.filter(({ description = '' }) => !/^[A-Z1].{10,}\.$/.test(description))).toEqual([]);
    expect(new Set(board.panels.map(({ id }) => id)).size).toBe(board.panels.length);
  });

  it('has no overlapping panels', () => {
    const cells = board.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, n) => `${x + (n % w)},${y + Math.floor(n / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
    expect(Math.max(...board.panels.map(({ gridPos: { x, w } }) => x + w))).toBe(24);
  });

  it('names only metrics that the service has, and labels that they have', () => {
    for (const expression of expressionsOf(board)) {
      const metrics = metricsOf(expression);
      expect(metrics).not.toEqual([]);
      expect(metrics.filter((name) => !known.has(name))).toEqual([]);
      const labels = new Set([...COMMON, ...metrics.flatMap((name) => known.get(name) ?? [])]);
      expect([expression, labelsOf(expression).filter((label) => !labels.has(label))]).toEqual([expression, []]);
      expect(expression).toContain('instance=~"$instance"');
    }
  });

  (hasPromtool ? it : it.skip)('is PromQL (promtool, of the Debian package prometheus)', () => {
    const folder = mkdtempSync(join(tmpdir(), 'items-dashboards-'));
    const rules = expressionsOf(board).map((expr, n) => ({
      record: `items:panel_${n}`,
      expr: expr.replaceAll('$__rate_interval', '5m'),
    }));
    writeFileSync(join(folder, 'rules.yml'), stringify({ groups: [{ name: file, rules }] }));
    const { status, stderr } = spawnSync('promtool', ['check', 'rules', '--lint=none', 'rules.yml'], { cwd: folder });
    rmSync(folder, { recursive: true });
    expect([status, String(stderr)]).toEqual([0, '']);
  });
});
