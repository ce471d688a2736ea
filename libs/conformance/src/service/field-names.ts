import { type Naming } from '../naming/naming.js';
import { fieldsOf } from './exchange.js';

type Fields = Readonly<Record<string, unknown>>;

/** Translates field names between the seed specification and the service. A dotted name is a path in the row. */
export class FieldNames {
  /** The seed specification's name → the service's name. The map is a permutation, so it is reversible. */
  private readonly names: ReadonlyMap<string, string>;
  private readonly back: ReadonlyMap<string, string>;
  private readonly paths: readonly (readonly [string, string])[];

  constructor({ required, filter, sort }: Naming) {
    const wanted = [
      ['name', required] as const,
      ...(filter === undefined ? [] : [['color', filter.name] as const]),
      ...(sort === undefined ? [] : [['price', sort] as const]),
    ];
    this.names = permutation(wanted.filter(([, theirs]) => !theirs.includes('.')));
    this.back = new Map([...this.names].map(([ours, theirs]) => [theirs, ours]));
    this.paths = wanted.filter(([, theirs]) => theirs.includes('.'));
  }

  ours(field: string): string {
    return this.paths.find(([, theirs]) => theirs === field)?.[0] ?? this.back.get(field) ?? field;
  }

  theirs(field: string): string {
    return this.paths.find(([ours]) => ours === field)?.[1] ?? this.names.get(field) ?? field;
  }

  /** Values other than rows stay unchanged. */
  toTheirs(row: unknown): unknown {
    if (!isObject(row)) return row;
    const isPath = (field: string): boolean => this.paths.some(([ours]) => ours === field);
    const flat = Object.entries(row).filter(([field]) => !isPath(field));
    const body: Fields = Object.fromEntries(flat.map(([field, value]) => [this.theirs(field), value]));
    return this.paths.reduce(
      (made, [ours, path]) => (ours in row ? withValue(made, path.split('.'), row[ours]) : made),
      body,
    );
  }

  /** Converts a body to the seed specification's names. Moves values at dotted paths to the top level. */
  example(row: Fields): Fields {
    const rest = this.paths.reduce((body, [, path]) => withoutValue(body, path.split('.')), row);
    return { ...fieldsOf(this.toOurs(rest)), ...this.deep(row) };
  }

  toOurs(row: unknown): unknown {
    if (!isObject(row)) return row;
    const flat = Object.entries(row).map(([field, value]) => [this.back.get(field) ?? field, value] as const);
    return { ...Object.fromEntries(flat), ...this.deep(row) };
  }

  private deep(row: Fields): Fields {
    const values = this.paths.map(([ours, path]) => [ours, valueAt(row, path)] as const);
    return Object.fromEntries(values.filter(([, value]) => value !== undefined));
  }
}

export function valueAt(body: unknown, path: string): unknown {
  return path.split('.').reduce((value, name) => fieldsOf(value)[name], body);
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function withValue(body: Fields, [name = '', ...rest]: readonly string[], value: unknown): Fields {
  return { ...body, [name]: rest.length === 0 ? value : withValue(fieldsOf(body[name]), rest, value) };
}

function withoutValue(body: Fields, [name = '', ...rest]: readonly string[]): Fields {
  const { [name]: value, ...others } = body;
  return rest.length === 0 || !isObject(value) ? others : { ...others, [name]: withoutValue(value, rest) };
}

/**
 * If two names mean one field, only the first is translated. If another field of the service has a used name, that
 * field gets a free name.
 */
function permutation(wanted: readonly (readonly [string, string])[]): Map<string, string> {
  const names = new Map<string, string>();
  for (const [ours, theirs] of wanted) if (![...names.values()].includes(theirs)) names.set(ours, theirs);
  const free = [...names.keys()].filter((ours) => ![...names.values()].includes(ours));
  for (const theirs of [...names.values()]) if (!names.has(theirs)) names.set(theirs, free.shift() ?? theirs);
  return names;
}
