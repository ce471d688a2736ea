import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expectations } from './expectations.ts';

const workspace = join(__dirname, '../..');
const expected = expectations(join(workspace, 'tools/fixtures/lint-rules'));

describe('The lint configuration', () => {
  let said: typeof expected;

  beforeAll(() => {
    const env = { ...process.env, NX_DAEMON: 'false', NX_ISOLATE_PLUGINS: 'false' };
    // The boundary rule reads the project graph from Nx's cache, and reports nothing without it.
    execFileSync(process.execPath, ['node_modules/nx/dist/bin/nx.js', 'show', 'projects'], { cwd: workspace, env });
    const output = execFileSync(process.execPath, ['tools/rules/lint-fixtures.ts'], { cwd: workspace, env });
    said = JSON.parse(output.toString());
  });

  it.each(Object.keys(expected))('reports exactly the violations of the fixture %s', (fixture) => {
    expect(sorted(said[fixture])).toEqual(sorted(expected[fixture]));
  });
});

function sorted(lines: [number, string][] | undefined) {
  return (lines ?? []).map(([line, rule]) => `${String(line)}: ${rule}`).sort();
}
