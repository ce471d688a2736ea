import type { ItemInput } from '@items/dtos/contract';

/** The item that §2 makes of a body, or the sorted names of wrong fields. */
export type Judgement = { readonly item: Required<ItemInput> } | { readonly wrong: readonly string[] };

const READ_ONLY = ['id', 'created_at', 'updated_at'];
const LARGEST_CENTS = 99_999_999_999;

/** Rules by field, from the table of SPEC §2.1. An absent field is `undefined`. */
const RULES: Readonly<Record<string, (value: unknown) => boolean>> = {
  name: (value) => isText(value) && isBetween(lengthOf(value.trim()), 1, 200) && isVisible(value),
  description: (value) => isAbsent(value) || (isText(value) && lengthOf(value) <= 2000),
  color: (value) => isAbsent(value) || (isText(value) && isBetween(lengthOf(value), 1, 30) && !value.includes(',')),
  price: (value) => isAbsent(value) || isPrice(value),
};

/** Judges a JSON object as the body of a creation or replacement. */
export function judgeItem(body: Readonly<Record<string, unknown>>): Judgement {
  const unknown = Object.keys(body).filter((field) => !(Object.hasOwn(RULES, field) || READ_ONLY.includes(field)));
  const wrong = Object.keys(RULES).filter((field) => !RULES[field]?.(body[field]));
  if (unknown.length + wrong.length > 0) return { wrong: [...wrong, ...unknown].sort() };
  const { name, description = null, color = null, price = null } = body as unknown as ItemInput;
  return { item: { name: name.trim(), description, color, price: price === null ? null : price + 0 } };
}

/** An omitted optional field is null. */
function isAbsent(value: unknown): value is null | undefined {
  return value === null || value === undefined;
}

/** Valid Unicode without NUL. */
function isText(value: unknown): value is string {
  return typeof value === 'string' && !value.includes('\0') && !/\p{Surrogate}/u.test(value);
}

/** True unless all code points are white space or default-ignorable. */
function isVisible(text: string): boolean {
  return /[^\p{White_Space}\p{DI}]/u.test(text);
}

/** Length in code points. */
function lengthOf(text: string): number {
  return Array.from(text).length;
}

function isBetween(value: number, least: number, most: number): boolean {
  return value >= least && value <= most;
}

/** At most two decimals in the shortest decimal form of the number. */
function isPrice(value: unknown): boolean {
  if (typeof value !== 'number' || !Number.isFinite(value) || value < 0) return false;
  const cents = Math.round(value * 100);
  return cents <= LARGEST_CENTS && Number((cents / 100).toFixed(2)) === value;
}
