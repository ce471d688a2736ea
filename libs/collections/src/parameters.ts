import type { SqlValue } from '@items/store';

/** Collects the parameters of a statement while its text is put together. */
export class Parameters {
  readonly values: SqlValue[] = [];

  /** @returns the placeholder of the value. */
  add(value: SqlValue): string {
    this.values.push(value);
    return `$${String(this.values.length)}`;
  }
}
