import fc from 'fast-check';

/** Text with all kinds of characters, and lengths around a bound. */
function textAround(bound: number): fc.Arbitrary<string> {
  return fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 20 }),
    fc.string({ unit: 'binary', maxLength: 12 }),
    fc.constantFrom('', ' ', '\t\n', 'Lamp', ' Lamp ', 'a,b', '\0', '\ud800', 'a\udfffb', '__proto__', 'null', '0'),
    fc
      .tuple(fc.constantFrom('a', 'é', '\u{1F600}', ' '), fc.integer({ min: -1, max: 1 }))
      .map(([letter, more]) => letter.repeat(bound + more)),
  );
}

/** Numbers around the limits of prices. */
const amounts = fc.oneof(
  fc.integer({ min: 0, max: 99_999_999_999 }).map((cents) => cents / 100),
  fc.integer({ min: -100, max: 300 }).map((cents) => cents / 100),
  fc.constantFrom(0, 0.01, 0.1, 0.29, 1.005, 0.001, 999_999_999.99, 1e9, 1_000_000_000.01, -0.01, 1e21),
  fc.double({ min: 0, max: 1e10, noNaN: true }).map((value) => Math.round(value * 1000) / 1000),
);

const strangers = fc.oneof(
  fc.boolean(),
  fc.constant([]),
  fc.constant({}),
  fc.array(fc.string({ maxLength: 3 }), { maxLength: 2 }),
  fc.dictionary(fc.string({ maxLength: 3 }), fc.integer(), { maxKeys: 2 }),
);

const field = (value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.oneof(
    { weight: 8, arbitrary: value },
    { weight: 1, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: strangers },
  );

/** Bodies of items: mostly almost valid, so that both valid and invalid ones are frequent. */
export const itemBodies: fc.Arbitrary<Record<string, unknown>> = fc
  .tuple(
    fc.record(
      {
        name: field(textAround(200)),
        description: field(textAround(2000)),
        color: field(textAround(30)),
        price: field(fc.oneof({ weight: 6, arbitrary: amounts }, { weight: 1, arbitrary: fc.constant('19.99') })),
        id: fc.constantFrom(null, 'x', 1),
        created_at: fc.constantFrom(null, 'x', []),
      },
      { requiredKeys: [] },
    ),
    fc.oneof({ weight: 9, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: unknownFields() }),
  )
  .map(([known, unknown]) => ({ ...unknown, ...known }));

function unknownFields(): fc.Arbitrary<Record<string, unknown>> {
  const names = fc.constantFrom('colour', 'Name', 'constructor', 'toString', 'prices', 'x'.repeat(30), 'é', '0');
  return fc.dictionary(names, fc.constantFrom<unknown>(null, 1, 'x', []), {
    minKeys: 1,
    maxKeys: 3,
    noNullPrototype: true,
  });
}
