import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import * as lists from './chosen-specs.ts';

const { agents, attacks, consoles, historiesAtLength, longUnits, operations, quickEndToEnd, quickUnits } = lists;
const { replicas, simulations, unitsAtLength, waitingAtLength } = lists;
/** End-to-end specs that run only in `npm run check`, or run there for longer. */
const long = [...attacks, ...operations, ...historiesAtLength, ...consoles, ...replicas, ...agents];
const workspace = join(import.meta.dirname, '../..');

/** Paths of spec files as in Jest, which searches the whole path for a pattern. */
function specsIn(folder: string) {
  return readdirSync(join(workspace, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.spec\.[jt]s$/.test(path) && !/(^|\/)(node_modules|dist|fixtures)\//.test(path))
    .map((path) => `/${folder}/${path.replaceAll('\\', '/')}`);
}

describe('The patterns by which spec files are chosen', () => {
  const endToEnd = specsIn('apps/api-e2e');
  const units = ['libs', 'apps/api', 'tools'].flatMap(specsIn);

  it.each([
    ...[...longUnits, ...unitsAtLength, ...simulations, ...quickUnits].map((pattern) => ({ pattern, specs: units })),
    ...[...long, ...quickEndToEnd, ...waitingAtLength].map((pattern) => ({ pattern, specs: endToEnd })),
  ])('match a file each: $pattern', ({ pattern, specs }) => {
    expect(specs.filter((path) => new RegExp(pattern).test(path))).not.toEqual([]);
  });

  it('exclude from npm test only specs that npm run check runs', () => {
    const leftOut = endToEnd.filter((path) => waitingAtLength.some((pattern) => path.includes(pattern)));
    expect(endToEnd.filter((path) => long.some((pattern) => new RegExp(pattern).test(path)))).toEqual(
      expect.arrayContaining(leftOut),
    );
  });
});
