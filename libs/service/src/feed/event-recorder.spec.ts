import type { VersionedRow } from '../data/database/versioned-row.js';
import fc from 'fast-check';

import { EventRecorder } from './event-recorder.js';
import { bookCollection } from './testing/library.testing.js';

const row = fc.record({
  id: fc.uuid(),
  created_at: fc.constant(1),
  updated_at: fc.integer({ min: 1, max: 3 }),
  lane: fc.constant(0),
  seq: fc.nat(),
  mark: fc.constantFrom('a', 'b', '"'),
  n: fc.integer({ min: 0, max: 2 }),
}) as unknown as fc.Arbitrary<VersionedRow>;
const change = fc
  .tuple(row, row, fc.constantFrom('created', 'updated', 'deleted'))
  .map(([before, after, kind]) =>
    kind === 'created'
      ? [undefined, after]
      : kind === 'deleted'
        ? [before, undefined]
        : [before, { ...after, id: before.id }],
  ) as fc.Arbitrary<[VersionedRow | undefined, VersionedRow | undefined]>;

describe('EventRecorder', () => {
  it('writes the same event from the columns and by rules', () => {
    const options = { dialect: 'sqlite', apiVersion: '2026-11-20', ...bookCollection } as const;
    const plain = new EventRecorder({ ...options, events: { subject: 'book' } });
    const kindOf = (was: unknown, is: unknown): string =>
      was === undefined ? 'created' : is === undefined ? 'deleted' : 'updated';
    const byRules = new EventRecorder({ ...options, events: { subject: 'book', kindOf } });
    const told = (
      recorder: typeof plain,
      [before, after]: [VersionedRow | undefined, VersionedRow | undefined],
    ): unknown => recorder.record({ before, after, origin: undefined }, 'tail')?.values;
    fc.assert(
      fc.property(change, (rows) => {
        const event = told(plain, rows);
        expect(event).toHaveLength(6);
        expect(event).toEqual(told(byRules, rows));
      }),
      { numRuns: 300 },
    );
  });
});
