import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expectations } from './expectations.ts';

const workspace = join(__dirname, '../..');
const fixtures = join(workspace, 'tools/fixtures/dependency-rules');

/** Runs dependency-cruiser in a folder with the workspace's rules. */
function cruise(cwd: string) {
  const args = [
    join(workspace, 'tools/checks/own-tools/run.ts'),
    'dependency-cruiser',
    'dependency-cruiser/bin/dependency-cruise.mjs',
    '--config',
    join(workspace, '.dependency-cruiser.js'),
    '--output-type',
    'json',
    'apps/api/src',
    'libs',
  ];
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd, maxBuffer: 2 ** 28 });
  if (stdout.length === 0) throw new Error(stderr.toString());
  return JSON.parse(stdout.toString()).summary;
}

/** Formats errors as `from: rule`, sorted, without duplicates. */
function judged(violations: { from: string; rule: { name: string } }[]) {
  return [...new Set(violations.map(({ from, rule }) => `${from}: ${rule.name}`))].sort();
}

describe('The dependency rules', () => {
  const { violations, ruleSetUsed } = cruise(fixtures);

  it('fire on exactly the imports of the fixture that are illegal', () => {
    const expected = Object.entries(expectations(fixtures)).flatMap(([file, lines]) =>
      lines.map(([, rule]) => `${file}: ${rule}`),
    );
    expect(judged(violations)).toEqual([...new Set(expected)].sort());
  });

  it('are all proven by the fixture', () => {
    // The rules of all layers have the same name, so they count as one.
    const rules = new Set(ruleSetUsed.forbidden.map(({ name }: { name: string }) => name));
    const proven = new Set(violations.map(({ rule }: { rule: { name: string } }) => rule.name));
    expect([...proven].sort()).toEqual([...rules].sort());
  });
});
