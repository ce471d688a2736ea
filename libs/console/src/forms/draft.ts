import type { Field } from '../document/field.js';
import { localTime, utcTime } from '../parts/format.js';
import { plainText, type Row } from '../service/row.js';

/** The value of an input. */
export type Draft = string | boolean | readonly string[] | DraftObject | readonly DraftObject[];
export interface DraftObject {
  readonly [name: string]: Draft;
}

/** The inputs of a form. @param row The member that is edited; undefined for a new one. */
export function draftOf(fields: readonly Field[], row?: Row): DraftObject {
  return Object.fromEntries(fields.map((field) => [field.name, draftValue(field, row?.[field.name])]));
}

function draftValue(field: Field, value: unknown): Draft {
  switch (field.kind) {
    case 'flag':
      return field.isNullable || (!field.isRequired && value === undefined) ? plainText(value) : value === true;
    case 'choices':
      return (value ?? []) as readonly string[];
    case 'texts':
      return ((value ?? []) as readonly string[]).join('\n');
    case 'time':
      return localTime(plainText(value));
    case 'object':
      return draftOf(field.fields, (value ?? undefined) as Row | undefined);
    case 'objects':
      return rowsOf(value).map((row) => draftOf(field.fields, row));
    case 'json':
      return value === undefined || value === null ? '' : JSON.stringify(value, null, 2);
    default:
      return plainText(value);
  }
}

/** A list has at least one entry to fill in. */
function rowsOf(value: unknown): readonly Row[] {
  const rows = (value ?? []) as readonly Row[];
  return rows.length === 0 ? [{}] : rows;
}

/** The body of the request. An empty optional field is omitted, or null if it may be. */
export function inputOf(fields: readonly Field[], draft: DraftObject): Row {
  const entries = fields.map((field): [string, unknown] => [field.name, inputValue(field, draft[field.name] ?? '')]);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

function inputValue(field: Field, draft: Draft): unknown {
  if (isEmpty(draft)) return field.isNullable ? null : emptyValue(field);
  switch (field.kind) {
    case 'number':
    case 'money':
      return numberOf(draft as string);
    case 'time':
      return utcTime(draft as string);
    case 'flag':
      return typeof draft === 'boolean' ? draft : draft === 'true';
    case 'texts':
      return lines(draft as string);
    case 'object':
      return inputOf(field.fields, draft as DraftObject);
    case 'objects':
      return (draft as readonly DraftObject[]).filter((row) => !isEmpty(row)).map((row) => inputOf(field.fields, row));
    case 'json':
      return jsonOf(draft as string);
    default:
      return draft;
  }
}

/** The service judges an empty required field, in its own words. */
function emptyValue({ isRequired, kind }: Field): unknown {
  if (!isRequired) return undefined;
  if (kind === 'choices' || kind === 'texts' || kind === 'objects') return [];
  return ['text', 'long text', 'secret'].includes(kind) ? '' : undefined;
}

function isEmpty(draft: Draft): boolean {
  if (typeof draft === 'boolean') return false;
  if (typeof draft === 'string') return draft.trim() === '';
  if (Array.isArray(draft)) return (draft as readonly Draft[]).every(isEmpty);
  return Object.values(draft as DraftObject).every(isEmpty);
}

/** Parses a number. Any other text is sent unchanged, and the service returns the error. */
function numberOf(typed: string): number | string {
  const plain = typed.trim().replace(/^(-?\d+),(\d+)$/, '$1.$2');
  return /^-?\d+(?:\.\d+)?$/.test(plain) ? Number(plain) : typed;
}

function lines(typed: string): readonly string[] {
  return typed
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
}

function jsonOf(typed: string): unknown {
  try {
    return JSON.parse(typed);
  } catch {
    return typed;
  }
}
