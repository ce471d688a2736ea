import type { Field, FieldKind } from '../document/field.js';
import { localTime, utcTime } from '../parts/format.js';
import { plainText, type Row } from '../service/rows.js';

export type Draft = string | boolean | readonly string[] | DraftObject | readonly DraftObject[];
export interface DraftObject {
  readonly [name: string]: Draft;
}

/** How a value becomes an input, and back. Other kinds are texts. */
interface Codec {
  readonly show: (value: unknown, field: Field) => Draft;
  readonly read: (draft: never, field: Field) => unknown;
}

const number: Codec = { show: plainText, read: numberOf };
const CODECS: Readonly<Partial<Record<FieldKind, Codec>>> = {
  number,
  money: number,
  flag: {
    show: (value, { isNullable, isRequired }) =>
      isNullable || (!isRequired && value === undefined) ? plainText(value) : value === true,
    read: (draft: string | boolean) => draft === true || draft === 'true',
  },
  time: { show: (value) => localTime(plainText(value)), read: utcTime },
  choices: { show: (value) => (value ?? []) as readonly string[], read: (draft) => draft },
  texts: { show: (value) => ((value ?? []) as readonly string[]).join('\n'), read: linesOf },
  json: {
    show: (value) => (value === undefined || value === null ? '' : JSON.stringify(value, null, 2)),
    read: jsonOf,
  },
  object: {
    show: (value, { fields }) => draftOf(fields, (value ?? undefined) as Row | undefined),
    read: (draft: DraftObject, { fields }) => inputOf(fields, draft),
  },
  objects: {
    show: (value, { fields }) => {
      const rows = (value ?? []) as readonly Row[];
      // A list has at least one entry to fill in.
      return (rows.length === 0 ? [{}] : rows).map((row) => draftOf(fields, row));
    },
    read: (draft: readonly DraftObject[], { fields }) =>
      draft.filter((row) => !isEmpty(row)).map((row) => inputOf(fields, row)),
  },
};

/** The inputs of a form. @param row The member that is edited; undefined for a new one. */
export function draftOf(fields: readonly Field[], row?: Row): DraftObject {
  const entries = fields.map((field): [string, Draft] => {
    const { show } = CODECS[field.kind] ?? { show: plainText };
    return [field.name, show(row?.[field.name], field)];
  });
  return Object.fromEntries(entries);
}

/** The body of the request. An empty optional field is omitted, or null if it may be. */
export function inputOf(fields: readonly Field[], draft: DraftObject): Row {
  const entries = fields.map((field): [string, unknown] => {
    const value = draft[field.name] ?? '';
    if (isEmpty(value)) return [field.name, field.isNullable ? null : emptyValue(field)];
    const codec = CODECS[field.kind];
    return [field.name, codec === undefined ? value : codec.read(value as never, field)];
  });
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

/** The service judges an empty required field, in its own words. */
function emptyValue({ isRequired, kind }: Field): unknown {
  if (!isRequired) return undefined;
  if (kind === 'choices' || kind === 'texts' || kind === 'objects') return [];
  return ['text', 'long text', 'secret'].includes(kind) ? '' : undefined;
}

function isEmpty(draft: Draft): boolean {
  if (typeof draft === 'boolean') return false;
  return typeof draft === 'string' ? draft.trim() === '' : Object.values(draft).every((each: Draft) => isEmpty(each));
}

/** Parses a number. Any other text is sent unchanged, and the service returns the error. */
function numberOf(typed: string): number | string {
  const plain = typed.trim().replace(/^(-?\d+),(\d+)$/, '$1.$2');
  return /^-?\d+(?:\.\d+)?$/.test(plain) ? Number(plain) : typed;
}

function linesOf(typed: string): readonly string[] {
  return typed.split('\n').flatMap((line) => line.trim() || []);
}

function jsonOf(typed: string): unknown {
  try {
    return JSON.parse(typed);
  } catch {
    return typed;
  }
}
