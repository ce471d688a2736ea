import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const source = join(__dirname, '../../apps/api/src');
const LIMIT = 2_500;

/** Counts lines without specs and their helper files. */
function productionLines(folder: string) {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /(?<!\.spec|\.testing)\.ts$/.test(file))
    .map((file) => readFileSync(join(folder, file), 'utf8').split('\n').length - 1)
    .reduce((sum, lines) => sum + lines, 0);
}

describe('The service', () => {
  it(`has at most ${LIMIT} lines of its own: code that another service could use is a lib`, () => {
    const lines = productionLines(source);
    expect(lines).toBeGreaterThan(0);
    expect(lines).toBeLessThanOrEqual(LIMIT);
  });
});
