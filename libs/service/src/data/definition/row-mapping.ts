import { hash } from 'node:crypto';
import type { FieldDefinition } from '@items/fields';
import type { RowValues, SqlValue } from '../database/database.js';
import { type Column, ROW_COLUMNS } from '../schema/columns.js';
import { CREATED_AT, ID, namedRow, UPDATED_AT, valuesIn, type VersionedRow } from '../database/versioned-row.js';
import type { CollectionDefinition, ComputedColumns, HasId, StoredMember, Values } from './collection.js';
import { codecOf, type ColumnCodec, formatTime, nullable, writeValue } from './column-codecs.js';

type Shown = Readonly<Record<string, unknown>>;

export interface RowRules {
  readonly defaults?: object;
  readonly hidden: readonly Column[];
  readonly derived?: Readonly<Record<string, ((row: never) => unknown) | undefined>>;
  readonly columnNames?: Readonly<Record<string, string | undefined>>;
  readonly computed?: Readonly<Record<string, ((member: never) => boolean) | undefined>>;
  readonly immutable?: boolean;
}

const REPRESENTATION_DIGITS = 5;

type RowMapping<Resource extends HasId, Hidden> = Pick<
  CollectionDefinition<Resource, never, Hidden>,
  | 'columns'
  | 'representation'
  | 'present'
  | 'toJson'
  | 'valuesToJson'
  | 'formerToJson'
  | 'changedFields'
  | 'read'
  | 'store'
  | 'storeNew'
  | 'computed'
>;

export function rowMapping<Resource extends HasId, Hidden>(
  fields: readonly (readonly [name: string, field: FieldDefinition])[],
  { defaults = {}, hidden, derived = {}, columnNames = {}, computed, immutable = false }: RowRules,
): RowMapping<Resource, Hidden> {
  const shown = fields.map(([name, field]) => {
    const derive = derived[name] as ((row: VersionedRow) => unknown) | undefined;
    const codec = codecOf(field);
    const { absence } = field;
    const isNullable = absence === 'null' || absence === 'kept or cleared';
    return { name, derive, column: columnNames[name] ?? name, isNullable, codec, ...nullable(codec) };
  });
  const stored = shown.filter(({ derive }) => derive === undefined);
  const own = [...stored.map(({ column: name, isNullable }) => ({ name, nullable: isNullable })), ...hidden];
  const nothing = Object.fromEntries(own.map(({ name }) => [name, null]));

  const present = (row: VersionedRow): Resource => {
    const member: Record<string, unknown> = { id: row.id };
    for (const { name, derive, column, decode } of shown) {
      member[name] = derive === undefined ? decode(row[column]) : derive(row);
    }
    member['created_at'] = formatTime(row.created_at);
    if (!immutable) member['updated_at'] = formatTime(row.updated_at);
    return member as unknown as Resource;
  };
  const columns = [...ROW_COLUMNS, ...own];
  const names = columns.map(({ name }) => name);
  const valuesToJson = rowWriter(columns, shown, immutable);
  const store = (member: object): Values => {
    const values: Record<string, unknown> = {};
    const given = member as Shown;
    for (const { name } of hidden) if (given[name] !== undefined) values[name] = given[name];
    for (const { name, column, encode } of stored) {
      if (given[name] !== undefined) values[column] = encode(given[name]);
    }
    return values as Values;
  };
  const computedColumns = computed && columnsThatAre(computed, stored);
  return {
    columns,
    representation: representationOf(fields, immutable),
    present,
    toJson: (row) => valuesToJson(valuesIn(row, names)),
    valuesToJson,
    ...formerOf(shown, immutable),
    read(row) {
      const hiddenValues = Object.fromEntries(hidden.map(({ name }) => [name, row[name]]));
      return { ...present(row), ...hiddenValues } as unknown as StoredMember<Resource, Hidden>;
    },
    store,
    storeNew: (member) => {
      const row = { ...nothing, ...store(defaults), ...store(member) };
      return computedColumns === undefined ? row : { ...row, ...computedColumns.of(row) };
    },
    ...(computedColumns && { computed: computedColumns }),
  };
}

/** Returns a hash that changes if a version of the service changes fields or their types. */
function representationOf(fields: Parameters<typeof rowMapping>[0], immutable: boolean): string {
  const form = fields.map(([name, { schema }]) => [name, schema['type'], schema['format']]);
  return hash('sha256', JSON.stringify([form, immutable]), 'hex').slice(0, REPRESENTATION_DIGITS);
}

function columnsThatAre(
  computed: NonNullable<RowRules['computed']>,
  fields: readonly (Pick<ColumnCodec<unknown, unknown>, 'decode' | 'encode'> & { name: string; column: string })[],
): ComputedColumns {
  const given = fields.filter(({ name }) => computed[name] === undefined);
  const made = fields.flatMap((field) => {
    const compute = computed[field.name] as ((member: Shown) => unknown) | undefined;
    return compute === undefined ? [] : [{ ...field, compute }];
  });
  return {
    names: made.map(({ column }) => column),
    of: (row) => {
      const member = Object.fromEntries(given.map(({ name, column, decode }) => [name, decode(row[column])]));
      const values: Record<string, unknown> = {};
      for (const { name, column, compute, encode } of made) {
        const value = compute(member);
        if (typeof value !== 'boolean') throw new TypeError(`The computed field "${name}" must be true or false.`);
        values[column] = encode(value);
      }
      return values as Values;
    },
  };
}

interface ShownField {
  readonly name: string;
  readonly column: string;
  readonly codec: ColumnCodec<unknown, unknown>;
  readonly derive?: ((row: VersionedRow) => unknown) | undefined;
}

/**
 * Creates a serializer of rows. The text equals JSON.stringify of the public member, byte for byte. ADR 56
 * @param columns In the order of the values.
 */
function rowWriter(
  columns: readonly Column[],
  fields: readonly ShownField[],
  immutable: boolean,
): (values: RowValues) => string {
  const members = fields.map((field) => {
    const { name, derive } = field;
    const position = columns.findIndex((column) => column.name === field.column);
    return { position, write: memberWriter(field), derived: derive && derivedWriter(name, derive) };
  });
  const hasDerived = members.some(({ derived }) => derived !== undefined);
  return (values) => {
    const row = hasDerived ? namedRow(columns, values) : undefined;
    let text = `{"id":"${String(values[ID])}"`;
    for (const { position, write, derived } of members) {
      text += derived === undefined || row === undefined ? write(values[position]) : derived(row);
    }
    const created = values[CREATED_AT] as number;
    const createdText = formatTime(created);
    text += `,"created_at":"${createdText}"`;
    if (immutable) return `${text}}`;
    const updated = values[UPDATED_AT] as number;
    return `${text},"updated_at":"${updated === created ? createdText : formatTime(updated)}"}`;
  };
}

function memberWriter({ name, codec }: ShownField): (stored: SqlValue | undefined) => string {
  const begin = beginOf(name);
  const nothing = `${begin}null`;
  const write = codec.toJson ?? ((stored: unknown) => writeValue(codec.decode(stored)));
  return (stored) => (stored === null || stored === undefined ? nothing : begin + write(stored));
}

/** The writer returns an empty text for an undefined value, because JSON.stringify omits such values. */
function derivedWriter(name: string, derive: (row: VersionedRow) => unknown): (row: VersionedRow) => string {
  const begin = beginOf(name);
  return (row) => {
    const value = derive(row);
    return value === undefined ? '' : begin + writeValue(value);
  };
}

function beginOf(name: string): string {
  return `,${JSON.stringify(name)}:`;
}

/**
 * `formerToJson` writes the previous values of the changed public fields, as JSON.stringify would:
 * `{"price":5,"updated_at":"…"}`. Stored values are compared first, because most are equal.
 */
function formerOf(
  fields: readonly ShownField[],
  immutable: boolean,
): Pick<RowMapping<HasId, unknown>, 'formerToJson' | 'changedFields'> {
  const comparisons = fields.map((field) => ({ name: field.name, formerly: comparisonOf(field) }));
  return {
    formerToJson(before, after) {
      let text = '';
      for (const { formerly } of comparisons) text += formerly(before, after) ?? '';
      if (!immutable && before.updated_at !== after.updated_at) {
        text += `,"updated_at":"${formatTime(before.updated_at)}"`;
      }
      return `{${text.slice(1)}}`;
    },
    changedFields(before, after) {
      const names: string[] = [];
      for (const { name, formerly } of comparisons) if (formerly(before, after) !== undefined) names.push(name);
      return names;
    },
  };
}

function comparisonOf(field: ShownField): (before: VersionedRow, after: VersionedRow) => string | undefined {
  const { name, column, derive } = field;
  const writeStored = memberWriter(field);
  const write = derive === undefined ? (row: VersionedRow) => writeStored(row[column]) : derivedWriter(name, derive);
  return (before, after) => {
    if (derive === undefined && before[column] === after[column]) return undefined;
    // Compares the JSON, because the row to be written may store an equal value differently.
    const former = write(before);
    return former === write(after) ? undefined : former;
  };
}
