/** The kinds of field that a collection may have, as its generator writes them; `?` for one that may be left out. */
export type FieldNotation = `${keyof typeof KINDS}${'' | '?'}`;

interface Kind {
  /** The value of the nth sample: some are equal, and their order is not that of creation. */
  readonly sample: (n: number) => unknown;
  /** Values that are 422. */
  readonly wrong: readonly unknown[];
}

const WORDS = ['b', 'a', 'B', 'é', '\u{1F600}', '\uff5e', 'a ', '10', '9'];

const KINDS = {
  string: { sample: (n) => `Sample ${WORDS[(n * 5) % WORDS.length] ?? ''}.`, wrong: [1, {}, ['a'], 'a\0b', '\ud800'] },
  text: { sample: (n) => `The text of sample ${n}`, wrong: [1, {}, 'a\0b', 'x'.repeat(2001)] },
  integer: { sample: (n) => ((n * 37) % 50) - 25, wrong: [1.5, '1', 2 ** 53, true] },
  number: { sample: (n) => ((n * 37) % 50) / 8 - 3, wrong: ['1', true, 1e300] },
  money: { sample: (n) => ((n * 37) % 50) + 0.99, wrong: [-0.01, 1.005, '1', 1e9] },
  boolean: { sample: (n) => n % 2 === 0, wrong: ['true', 1, 0] },
  'date-time': {
    sample: (n) => new Date(Date.UTC(2026, 0, 1 + ((n * 7) % 20))).toISOString(),
    wrong: ['yesterday', '2026-02-30T00:00:00Z', 5],
  },
} as const satisfies Record<string, Kind>;

export function isOptional(notation: FieldNotation): boolean {
  return notation.endsWith('?');
}

/** A value that the field accepts; every fifth of an optional field is null. */
export function sampleOf(notation: FieldNotation, n: number): unknown {
  return isOptional(notation) && n % 5 === 4 ? null : kindOf(notation).sample(n);
}

/** Values that the field refuses. */
export function wrongOf(notation: FieldNotation): readonly unknown[] {
  return isOptional(notation) ? kindOf(notation).wrong : [null, ...kindOf(notation).wrong];
}

/** What can be filtered by any text. */
export function isWord(notation: FieldNotation | undefined): boolean {
  return notation?.startsWith('string') === true;
}

function kindOf(notation: FieldNotation): Kind {
  return KINDS[notation.replace('?', '') as keyof typeof KINDS];
}
