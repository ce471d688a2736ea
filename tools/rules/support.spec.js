import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

const workspace = join(__dirname, '../..');
const policy = readFileSync(join(workspace, 'SECURITY.md'), 'utf8');
const { jobs } = parse(readFileSync(join(workspace, '.github/workflows/ci.yml'), 'utf8'));
/** @type {{ node: string, postgres: number, redis: number }[]} */
const tried = jobs.test.strategy.matrix.include;

/** @param {string} part first column of the table. @returns {string[]} the versions that its row names. */
function versionsOf(part) {
  const row = policy.split('\n').find((line) => line.startsWith(`| ${part}`)) ?? '';
  return (row.split('|')[2] ?? '').match(/\d+(?:\.\d+)?/g) ?? [];
}

describe('SECURITY.md, "What is supported"', () => {
  it.each(/** @type {const} */ (['postgres', 'redis']))('names the versions of %s that CI tries', (name) => {
    const versions = new Set(tried.map((entry) => String(entry[name])));
    expect(versionsOf(name === 'postgres' ? 'PostgreSQL' : 'Redis')).toEqual([...versions].sort());
  });

  it('names the versions of Node that CI tries', () => {
    const [client, ...service] = tried.map(({ node }) => node).sort();
    expect(versionsOf('Node, for the service')).toEqual(service);
    expect(versionsOf('Node, for `@items/client`')).toEqual([client]);
  });
});
