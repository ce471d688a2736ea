import type { RowValues, SqlValue } from '../database/database.js';
import type { Column } from '../schema/columns.js';
import type { VersionedRow } from '../database/versioned-row.js';

import type { ColumnCodec } from './column-codecs.js';
import { CREATED_AT, ID, namedRow, UPDATED_AT } from './row-values.js';
import { formatTime, writeValue } from './column-codecs.js';

export interface ShownField {
  readonly name: string;
  readonly column: string;
  readonly codec: ColumnCodec<unknown, unknown>;
  readonly derive?: ((row: VersionedRow) => unknown) | undefined;
}

type Writer = (values: RowValues) => string;

/**
 * Serializes the values of a row byte for byte as JSON.stringify would the public member. Everything that depends on
 * the fields alone is computed here once. ADR 56
 * @param columns In the order of the values.
 */
export function rowWriter(columns: readonly Column[], fields: readonly ShownField[], immutable: boolean): Writer {
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

export function memberWriter({ name, codec }: ShownField): (stored: SqlValue | undefined) => string {
  const begin = beginOf(name);
  const nothing = `${begin}null`;
  const write = codec.toJson ?? ((stored: unknown) => writeValue(codec.decode(stored)));
  return (stored) => (stored === null || stored === undefined ? nothing : begin + write(stored));
}

/** Returns an empty text for an undefined value. */
export function derivedWriter(name: string, derive: (row: VersionedRow) => unknown): (row: VersionedRow) => string {
  const begin = beginOf(name);
  return (row) => {
    const value = derive(row);
    return value === undefined ? '' : begin + writeValue(value);
  };
}

function beginOf(name: string): string {
  return `,${JSON.stringify(name)}:`;
}
