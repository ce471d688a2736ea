import { setImmediate as turn } from 'node:timers/promises';
import { chosen } from './chosen.ts';
import { failedOnce, passedOnce } from './outcome.ts';
import { runChecks } from './run-checks.ts';

describe('The checks that are run', () => {
  const checks = ['lint', 'unit', 'packages', 'coverage'].map((name) => ({
    name,
    title: name,
    isLong: name === 'packages',
    isPart: name === 'coverage',
    isQuick: name === 'lint',
    run: async () => passedOnce,
  }));
  const names = (asked: Parameters<typeof chosen>[1]) => chosen(checks, asked).map(({ name }) => name);

  it('are the short ones for npm test and the long ones for npm run check, without parts of others', () => {
    expect(names({ named: [], long: false })).toEqual(['lint', 'unit']);
    expect(names({ named: [], long: true })).toEqual(['packages']);
  });

  it('are only the quick ones on request', () => {
    expect(names({ named: [], long: false, quick: true })).toEqual(['lint']);
  });

  it('are the named ones, for any length', () => {
    expect(names({ named: ['packages', 'lint'], long: false })).toEqual(['lint', 'packages']);
    expect(names({ named: ['unit', 'coverage'], long: true })).toEqual(['unit', 'coverage']);
  });

  it('are none if a name is unknown: the error lists all names', () => {
    expect(() => names({ named: ['unti'], long: false })).toThrow(
      'There is no check unti; there are lint, unit, packages, coverage.',
    );
  });
});

describe('A run of checks', () => {
  let events: string[];
  const check = (name: string, mayRunConcurrently: boolean, outcome = passedOnce) => ({
    name,
    title: name,
    mayRunConcurrently,
    run: async () => {
      events.push(`${name} begins`);
      await turn();
      events.push(`${name} ends`);
      return outcome;
    },
  });
  beforeEach(() => {
    events = [];
  });

  it('runs neighbours that may overlap concurrently, and all others alone', async () => {
    await runChecks(
      [check('types', false), check('lint', true), check('format', true), check('unit', false)],
      () => {},
    );
    expect(events).toEqual([
      ...['types begins', 'types ends'],
      ...['lint begins', 'format begins', 'lint ends', 'format ends'],
      ...['unit begins', 'unit ends'],
    ]);
  });

  it('continues after a check that fails, and returns the outcomes in the order of the checks', async () => {
    const rows = await runChecks(
      [check('lint', true, failedOnce), check('format', true), check('unit', false)],
      () => {},
    );
    expect(rows.map(({ title, outcome }) => [title, outcome.failed])).toEqual([
      ['lint', 1],
      ['format', 0],
      ['unit', 0],
    ]);
  });

  it('runs failed files again after the neighbours of their check, and adds the time', async () => {
    const again = { ...failedOnce, again: check('lint again', false).run };
    const rows = await runChecks([check('lint', true, again), check('format', true)], () => {});
    expect(events.slice(-3)).toEqual(['format ends', 'lint again begins', 'lint again ends']);
    expect(rows.map(({ title, outcome }) => [title, outcome.failed])).toEqual([
      ['lint', 0],
      ['format', 0],
    ]);
  });
});
