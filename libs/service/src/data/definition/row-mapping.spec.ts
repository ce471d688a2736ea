import { isDeepStrictEqual } from 'node:util';

import { Choice, DateTime, Filterable, Flag, Integer, Money, NestedList, Optional, Text, Texts } from '@items/fields';
import type { VersionedRow } from '../database/versioned-row.js';
import fc from 'fast-check';

import { defineCollection } from './define-collection.js';

class LineDto {
  @Text({ max: 50 })
  name!: string;

  @Money()
  price!: number;
}

/** Has every kind of field. */
class ThingDto {
  @Text({ max: 200 })
  name!: string;

  @Optional()
  @Text({ max: 200 })
  note!: string | null;

  @Filterable()
  @Choice(['a', 'b'])
  kind!: string;

  @Optional()
  @Money()
  price!: number | null;

  @Integer({ min: -5, max: 5 })
  count!: number;

  @Flag()
  open!: boolean;

  @Optional()
  @DateTime()
  until!: string | null;

  @Texts({ maxItems: 3, max: 20, each: { matches: /^.*$/s, expected: 'a text' } })
  tags!: string[];

  @NestedList(() => LineDto, { min: 0, max: 3 })
  lines!: LineDto[];

  /** Computed from other columns. */
  @Optional()
  @Text({ max: 20 })
  sum!: string | null;
}

const things = defineCollection<ThingDto>({
  name: 'things',
  singular: 'thing',
  dto: ThingDto,
  columnNames: { note: 'note_text' },
  derived: { sum: (row) => ((row as unknown as { count: number }).count > 0 ? `<${row.id}>` : null) },
});

const anyText = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), fc.string());
const cents = fc.integer({ min: 0, max: 99_999_999_999 });
const timeMs = fc.integer({ min: 0, max: 4_102_444_800_000 });
const rows = fc
  .record({
    id: fc.uuid(),
    created_at: timeMs,
    updated_at: timeMs,
    name: anyText,
    note_text: fc.option(anyText),
    kind: fc.constantFrom('a', 'b'),
    price: fc.option(cents),
    count: fc.integer({ min: -5, max: 5 }),
    open: fc.constantFrom(0, 1),
    until: fc.option(timeMs),
    tags: fc.array(anyText).map((tags) => JSON.stringify(tags)),
    lines: fc.array(fc.record({ name: anyText, price: cents })).map((lines) => JSON.stringify(lines)),
  })
  .map((row) => ({ ...row, lane: 0, seq: 1 }));

describe('A row written as JSON', () => {
  it('is byte for byte the result of JSON.stringify on the public member', () => {
    fc.assert(
      fc.property(rows, (row) => expect(things.toJson(row)).toBe(JSON.stringify(things.present(row)))),
      {
        numRuns: 500,
      },
    );
  });

  it('is the same from the values in the order of the columns', () => {
    const names = things.columns.map(({ name }) => name);
    fc.assert(
      fc.property(rows, (row) => {
        const values = names.map((name) => (row as unknown as Record<string, string | number | null>)[name] ?? null);
        expect(things.valuesToJson(values)).toBe(JSON.stringify(things.present(row)));
      }),
    );
  });

  it('has previous values only for fields that changed', () => {
    const changed = fc.tuple(
      rows,
      rows,
      fc.subarray(['name', 'note_text', 'price', 'open', 'until', 'tags', 'lines', 'count']),
    );
    fc.assert(
      fc.property(changed, ([before, other, fields]) => {
        const changes = fields.map((field) => [field, (other as unknown as Record<string, unknown>)[field]]);
        const after = { ...before, ...Object.fromEntries(changes), updated_at: other.updated_at } as typeof before;
        const [was, is] = [things.present(before), things.present(after)] as unknown as Record<string, unknown>[];
        const former = Object.entries(was ?? {}).filter(([name, value]) => !isDeepStrictEqual(value, is?.[name]));
        expect(things.formerToJson(before, after)).toBe(JSON.stringify(Object.fromEntries(former)));
      }),
      { numRuns: 500 },
    );
  });

  it('has previous values for fields that are no longer shown', () => {
    const [row] = fc.sample(rows, 1);
    const once = defineCollection<LineDto>({
      name: 'once',
      singular: 'once',
      dto: LineDto,
      derived: {
        name: ({ updated_at: time }: { updated_at: string }) => (Number(time) < 5 ? null : undefined) as never,
      },
    } as never);
    const [before, after] = [1, 9].map((time) => ({ ...row, updated_at: time })) as unknown as VersionedRow[];
    expect(once.formerToJson(before as never, after as never)).toMatch(/^\{"name":null,"updated_at":/);
    expect(once.formerToJson(after as never, before as never)).toMatch(/^\{"updated_at":/);
  });

  it('has no previous values for fields that are only stored differently', () => {
    const [row] = fc.sample(rows, 1);
    const before = { ...row, lines: '[ ]', updated_at: 1 } as typeof row & object;
    expect(things.formerToJson(before, { ...before, lines: '[]' })).toBe('{}');
  });

  it('escapes strings as JSON requires', () => {
    const [row] = fc.sample(rows, 1);
    for (const name of ['"', '\\', '\n', '\u0000', '\u001f', '\u007f', '\u2028', '😀', '\ud800', 'a\udc00b']) {
      expect(things.toJson({ ...row, name } as never)).toBe(JSON.stringify(things.present({ ...row, name } as never)));
    }
  });
});
