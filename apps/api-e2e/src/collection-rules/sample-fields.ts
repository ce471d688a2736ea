import { randomInt } from 'node:crypto';

/** A field in the notation of the generator: `?` if it may be omitted, `=` with its default. */
export type FieldNotation = `${keyof typeof KINDS}${string}`;

interface Kind {
  /**
   * Returns the nth sample value. Some are equal, and their order differs from the order of creation.
   * @param within the text in parentheses.
   */
  readonly sample: (n: number, within?: string) => unknown;
  /** A value that no other member has. */
  readonly unique?: (n: number, within?: string) => unknown;
  /** Values that are refused with 422. */
  readonly wrong: (within?: string) => readonly unknown[];
}

const WORDS = ['b', 'a', 'B', 'é', '\u{1F600}', '\uff5e', 'a ', '10', '9'];
/** Number of digits that make a text unique. */
const UNIQUE_DIGITS = 8;
/** Minimum size of a range for unique random values. */
const MANY = 1_000_000;
const UNKNOWN = '01890000-0000-7000-8000-000000000009';

const KINDS = {
  string: {
    sample: (n, max = '200') => firstOf(`Sample ${WORDS[(n * 5) % WORDS.length] ?? ''}.`, Number(max)),
    unique: (n, max = '200') => {
      const digits = String(randomInt(10 ** UNIQUE_DIGITS)).padStart(UNIQUE_DIGITS, '0');
      const begin = firstOf(`Sample ${WORDS[(n * 5) % WORDS.length] ?? ''}.`, Math.max(0, Number(max) - UNIQUE_DIGITS));
      return firstOf(`${begin}${digits}`, Number(max));
    },
    wrong: (max = '200') => [1, {}, ['a'], 'a\0b', '\ud800', 'x'.repeat(Number(max) + 1)],
  },
  text: {
    sample: (n, max = '2000') => firstOf(`The text of sample ${n}`, Number(max)),
    unique: (n, max = '2000') => firstOf(`${randomInt(10 ** UNIQUE_DIGITS)} of sample ${n}`, Number(max)),
    wrong: (max = '2000') => [1, {}, 'a\0b', 'x'.repeat(Number(max) + 1)],
  },
  integer: {
    sample: (n, range) => {
      const [min, max] = endsOf(range, '-25..24');
      return min + ((n * 37) % Math.min(50, max - min + 1));
    },
    unique: (_n, range) => {
      const [min, max] = endsOf(range, '-1000000000..1000000000');
      return min + randomInt(Math.min(2 ** 47, max - min + 1));
    },
    wrong: (range) => [1.5, '1', 2 ** 53, true, ...beyond(range)],
  },
  number: {
    sample: (n, range) => {
      const [min, max] = endsOf(range, '-3..3');
      return min + (((n * 37) % 50) / 50) * (max - min);
    },
    unique: (_n, range) => {
      const [min, max] = endsOf(range, '-1000000000..1000000000');
      return min + (randomInt(2 ** 40) / 2 ** 40) * (max - min);
    },
    wrong: (range) => ['1', true, 1e300, ...beyond(range)],
  },
  money: {
    sample: (n) => ((n * 37) % 50) + 0.99,
    unique: () => randomInt(99_999_999_999) / 100,
    wrong: () => [-0.01, 1.005, '1', 1e9],
  },
  boolean: { sample: (n) => n % 2 === 0, wrong: () => ['true', 1, 0] },
  'date-time': {
    sample: (n) => new Date(Date.UTC(2026, 0, 1 + ((n * 7) % 20))).toISOString(),
    unique: () => new Date(Date.UTC(2026) + randomInt(2 ** 40)).toISOString(),
    wrong: () => ['yesterday', '2026-02-30T00:00:00Z', 5],
  },
  choices: {
    sample: (n, words = '') => words.split('/').slice(0, n % (words.split('/').length + 1)),
    wrong: (words = '') => ['x', [1], ['none of these'], [...words.split('/'), ...words.split('/')]],
  },
  choice: {
    sample: (n, words = '') => words.split('/')[n % words.split('/').length],
    wrong: () => [1, 'none of these', ['a']],
  },
  texts: { sample: (n) => ['b', `text ${n}`, 'a'].slice(n % 3), wrong: () => ['x', [1], ['a', 'a'], [' ']] },
  reference: { sample: () => undefined, wrong: () => ['x', 1, UNKNOWN] },
  uuid: {
    sample: (n) => `019a9f3e-5c7a-7d31-8b52-${String(n).padStart(12, '0')}`,
    wrong: () => ['x', 1, [UNKNOWN]],
  },
} as const satisfies Record<string, Kind>;

export interface ParsedField {
  readonly kind: keyof typeof KINDS;
  readonly within: string | undefined;
  readonly isOptional: boolean;
  /** The default as text. */
  readonly fallback: string | undefined;
  /** If true, a referenced member may be deleted. */
  readonly isKept: boolean;
}

export function parseField(notation: FieldNotation): ParsedField {
  const found = /^([a-z-]+)(?:\((.*)\))?(\?|=[^:]*)?(:keep)?$/.exec(notation);
  const [, kind = '', within, presence = '', keep] = found ?? [];
  const fallback = presence.startsWith('=') ? presence.slice(1) : undefined;
  return {
    kind: kind as keyof typeof KINDS,
    within,
    isOptional: presence === '?',
    fallback,
    isKept: keep !== undefined,
  };
}

/** Returns the value that an omitted field gets; undefined if the field is required. */
export function omittedOf(notation: FieldNotation): unknown {
  const { kind, isOptional, fallback } = parseField(notation);
  if (isOptional) return null;
  if (fallback === undefined) return undefined;
  return kind === 'string' || kind === 'text' || kind === 'choice' ? fallback : (JSON.parse(fallback) as unknown);
}

/**
 * Returns a value that the field accepts. Every fifth value of an optional field is null.
 * @param isUnique if true, no other member has the value.
 */
export function sampleOf(notation: FieldNotation, n: number, isUnique = false): unknown {
  const { kind, within, isOptional } = parseField(notation);
  if (isOptional && n % 5 === 4) return null;
  const { sample, unique = sample } = KINDS[kind] as Kind;
  return (isUnique ? unique : sample)(n, within);
}

/** Returns true if the field has enough values for a unique key. */
export function canBeUnique(notation: FieldNotation | undefined): boolean {
  if (notation === undefined) return false;
  const { kind, within } = parseField(notation);
  if (kind === 'string' || kind === 'text') return Number(within ?? 200) >= UNIQUE_DIGITS;
  const [min, max] = within !== undefined && within.includes('..') ? endsOf(within, '') : [0, Infinity];
  return 'unique' in KINDS[kind] && max - min >= MANY;
}

export function wrongOf(notation: FieldNotation): readonly unknown[] {
  const { kind, within, isOptional } = parseField(notation);
  const wrong = (KINDS[kind] as Kind).wrong(within);
  return isOptional ? wrong : [null, ...wrong];
}

/** Returns true for a string field: lists can be filtered by its prefix. */
export function isString(notation: FieldNotation | undefined): boolean {
  return notation !== undefined && parseField(notation).kind === 'string';
}

/** Returns true for a field that accepts any text. @param length of the text. */
export function isWord(notation: FieldNotation | undefined, length: number): boolean {
  return notation !== undefined && isString(notation) && Number(parseField(notation).within ?? 200) >= length;
}

function firstOf(text: string, max: number): string {
  return [...text].slice(0, max).join('').trim();
}

function endsOf(range: string | undefined, otherwise: string): readonly [number, number] {
  const [min, max] = (range ?? otherwise).split('..').map(Number);
  return [min as number, max as number];
}

function beyond(range: string | undefined): number[] {
  if (range === undefined) return [];
  const [min, max] = endsOf(range, '');
  return [min - 1, max + 1];
}
