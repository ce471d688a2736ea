import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

const workspace = join(__dirname, '../..');
const policy = readFileSync(join(workspace, 'SECURITY.md'), 'utf8');
const { jobs } = parse(readFileSync(join(workspace, '.github/workflows/ci.yml'), 'utf8'));
const tried: { node: string; postgres: number; redis: number }[] = jobs.test.strategy.matrix.include;

function versionsOf(part: string): string[] {
  const row = policy.split('\n').find((line) => line.startsWith(`| ${part}`)) ?? '';
  return (row.split('|')[2] ?? '').match(/\d+(?:\.\d+)?/g) ?? [];
}

describe('SECURITY.md, "What is supported"', () => {
  it.each(['postgres', 'redis'] as const)('names the versions of %s that CI tests', (name) => {
    const versions = new Set(tried.map((entry) => String(entry[name])));
    expect(versionsOf(name === 'postgres' ? 'PostgreSQL' : 'Redis')).toEqual([...versions].sort());
  });

  it('names the release lines of Node that CI tests, with the oldest versions that the check other-nodes tests', () => {
    const [client = '', ...service] = tried.map(({ node }) => node).sort();
    const lineOf = (version: string) => version.replace(/\..*/, '');
    const [oldest = '', ...newer] = versionsOf('Node, for the service');
    expect([lineOf(oldest), ...newer]).toEqual(service);
    expect(versionsOf('Node, for `@items/client`')).toEqual([client]);
    const source = readFileSync(join(workspace, 'tools/checks/other-nodes-check.ts'), 'utf8');
    const versions = [...source.matchAll(/version: '(\d+\.\d+)\.0'/g)].map(([, version]) => version);
    expect(new Set(versions)).toEqual(new Set([oldest, client]));
  });
});
