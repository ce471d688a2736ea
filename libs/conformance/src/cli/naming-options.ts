import { readFileSync } from 'node:fs';

import { type NamingOptions, queryNames } from '../naming/naming.js';
import { fieldsOf } from '../service/exchange.js';
import { CannotJudge } from '../verdict.js';

export const namingNames = [
  'collection',
  'member',
  'create',
  'required',
  'sort',
  'filter',
  'query',
  'next-cursor',
  'total',
  'map',
] as const;
export type NamingWords = Readonly<Partial<Record<(typeof namingNames)[number], string>>>;

/** Parsers of values from options or from the file of `--map`. */
const readers: Readonly<Record<string, (value: unknown, name: string) => NamingOptions>> = {
  collection: (value, name) => ({ collection: text(value, name) }),
  member: (value, name) => ({ member: value === null ? null : textOrEmpty(value, name) }),
  create: (value, name) => ({ create: object(value, name) }),
  required: (value, name) => ({ required: text(value, name) }),
  sort: (value, name) => ({ sort: text(value, name) }),
  filter: (value, name) => ({ filter: pair(value, name) }),
  query: (value, name) => ({ query: queryOf(value, name) }),
  next_cursor: (value, name) => ({ nextCursor: text(value, name) }),
  total: (value, name) => ({ total: text(value, name) }),
};

/**
 * The options override the file of `--map`.
 * @throws {CannotJudge} An unreadable file, an unknown name, or an invalid value.
 */
export function namingOptionsOf({ map, ...words }: NamingWords): NamingOptions {
  return {
    ...(map === undefined ? {} : fromFile(map)),
    ...merged(Object.entries(words).map(([name, value]) => read(name.replace('-', '_'), value, `--${name}`))),
  };
}

function fromFile(file: string): NamingOptions {
  const members = jsonObject(fileText(file), `${file}, which --map names,`);
  return merged(Object.entries(members).map(([name, value]) => read(name, value, `\`${name}\` in ${file}`)));
}

function merged(parts: readonly NamingOptions[]): NamingOptions {
  return Object.assign({}, ...parts) as NamingOptions;
}

function read(name: string, value: unknown, called: string): NamingOptions {
  const reader = Object.hasOwn(readers, name) ? readers[name] : undefined;
  if (reader === undefined)
    throw new CannotJudge(`There is no name ${called}: give ${Object.keys(readers).join(', ')}.`);
  return reader(value, called);
}

function fileText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    throw new CannotJudge(`${file} cannot be read.`);
  }
}

function text(value: unknown, name: string): string {
  const given = textOrEmpty(value, name);
  if (given.trim() === '') throw new CannotJudge(`${name} is empty.`);
  return given;
}

function textOrEmpty(value: unknown, name: string): string {
  if (typeof value !== 'string') throw new CannotJudge(`${name} must be a string.`);
  return value;
}

function object(value: unknown, name: string): Readonly<Record<string, unknown>> {
  if (typeof value === 'string') return jsonObject(value, name);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new CannotJudge(`${name} is not a JSON object.`);
  }
  return fieldsOf(value);
}

function jsonObject(json: string, name: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    throw new CannotJudge(`${name} is not JSON.`);
  }
  return object(typeof value === 'string' ? null : value, name);
}

/** Parses `color=red`, or `{"color": "red"}` in a file. */
function pair(value: unknown, name: string): { name: string; value: string } {
  if (typeof value === 'object' && value !== null) {
    const [[field, wanted] = []] = Object.entries(value);
    return pair(`${field ?? ''}=${String(wanted)}`, name);
  }
  const given = text(value, name);
  const equals = given.indexOf('=');
  if (equals < 1 || equals === given.length - 1) throw new CannotJudge(`${name} is given as field=value.`);
  return { name: given.slice(0, equals), value: given.slice(equals + 1) };
}

/** Parses `page=p,per_page=size`, or `{"page": "p"}` in a file. */
function queryOf(value: unknown, name: string): NonNullable<NamingOptions['query']> {
  const given =
    typeof value === 'string'
      ? Object.fromEntries(value.split(',').map((one) => Object.values(pair(one.trim(), name)) as [string, string]))
      : object(value, name);
  for (const [one, other] of Object.entries(given)) {
    if (!(queryNames as readonly string[]).includes(one)) {
      throw new CannotJudge(`${name} has no parameter ${one}: give ${queryNames.join(', ')}.`);
    }
    text(other, `${name} ${one}`);
  }
  return given;
}

/** Reads a file with one id per line; `#` begins a comment. */
export function knownIdsIn(file: string): string[] {
  return fileText(file)
    .split(/\r?\n/)
    .map((line) => line.split('#', 1).join('').trim())
    .filter((line) => line !== '');
}
