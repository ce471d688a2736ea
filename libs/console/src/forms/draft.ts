import type { Field, FieldKind } from '../document/field.js';
import { localTime, utcTime } from '../parts/format.js';
import { plainText, type Row } from '../service/rows.js';

export type Draft = string | boolean | readonly string[] | DraftObject | readonly DraftObject[];
export interface DraftObject {
  readonly [name: string]: Draft;
}

/** Converts a value to the state of an input, and back. Kinds without a codec are texts. */
interface Codec {
  readonly show: (value: unknown, field: Field) => Draft;
  /** @param had The value before the edit. */
  readonly read: (draft: never, field: Field, had: unknown) => unknown;
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
    read: (draft: DraftObject, { fields }, had) => inputOf(fields, draft, (had ?? undefined) as Row | undefined),
  },
  objects: {
    show: (value, { fields }) => {
      const rows = (value ?? []) as readonly Row[];
      // Shows at least one entry to fill in.
      return (rows.length === 0 ? [{}] : rows).map((row) => draftOf(fields, row));
    },
    // Drops only the empty entries at the end, so that the index in an error fits the form.
    read: (draft: readonly DraftObject[], { fields }, had) =>
      draft
        .slice(0, draft.findLastIndex((row) => !isEmpty(row)) + 1)
        .map((row, index) => inputOf(fields, row, ((had ?? []) as readonly Row[])[index])),
  },
};

/** Returns the initial state of the inputs. @param row The member to edit; undefined for a new member. */
export function draftOf(fields: readonly Field[], row?: Row): DraftObject {
  const entries = fields.map((field): [string, Draft] => {
    const { show } = CODECS[field.kind] ?? { show: plainText };
    return [field.name, show(row?.[field.name], field)];
  });
  return Object.fromEntries(entries);
}

/**
 * Returns the body of the request. An empty optional field is null if it is nullable, otherwise omitted.
 * @param row The member to edit. Unchanged fields keep their exact values, which an input may have rounded.
 */
export function inputOf(fields: readonly Field[], draft: DraftObject, row?: Row): Row {
  const initial = draftOf(fields, row);
  const entries = fields.map((field): [string, unknown] => {
    const { name, kind, isNullable } = field;
    const value = draft[name] ?? '';
    const had = row?.[name] ?? undefined;
    // Objects are not copied as a whole, because they can have read-only fields.
    const isPlain = field.fields.length === 0;
    if (isPlain && had !== undefined && JSON.stringify(value) === JSON.stringify(initial[name])) return [name, had];
    if (isEmpty(value)) return [name, isNullable ? null : emptyValue(field)];
    const codec = CODECS[kind];
    return [name, codec === undefined ? value : codec.read(value as never, field, had)];
  });
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

/** Sends an empty required field, so that the service returns an error for it. */
function emptyValue({ isRequired, kind }: Field): unknown {
  if (!isRequired) return undefined;
  if (kind === 'choices' || kind === 'texts' || kind === 'objects') return [];
  return ['text', 'long text', 'secret'].includes(kind) ? '' : undefined;
}

function isEmpty(draft: Draft): boolean {
  if (typeof draft === 'boolean') return false;
  return typeof draft === 'string' ? draft.trim() === '' : Object.values(draft).every((each: Draft) => isEmpty(each));
}

/** Parses a number. Any other text, such as `1,000`, is sent unchanged, and the service returns the error. */
function numberOf(typed: string): number | string {
  const plain = typed.trim().replace(/^(-?\d+),(\d{1,2})$/, '$1.$2');
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
