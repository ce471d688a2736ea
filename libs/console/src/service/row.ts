/** A member of any collection. */
export type Row = Readonly<Record<string, unknown>>;

/** A field as text. */
export function text(row: Row, name: string): string {
  return plainText(row[name]);
}

/** A value as text; empty for null and for anything but texts, numbers and flags. */
export function plainText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

export function idOf(row: Row): string {
  return text(row, 'id');
}
