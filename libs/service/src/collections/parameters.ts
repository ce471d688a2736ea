import type { SqlValue } from '../store/database/database.js';

import type { Bindings } from './bindings.js';

/** A parameter whose value is known when the statement runs. */
export type Slot = (bindings: Bindings) => SqlValue;

/** Collects the parameters of a statement while its text is put together. */
export class Parameters {
  private readonly parts: (SqlValue | Slot)[] = [];

  /** @returns the placeholder of the value. */
  add(value: SqlValue | Slot): string {
    this.parts.push(value);
    return `$${String(this.parts.length)}`;
  }

  /** Of a statement without slots. */
  get values(): SqlValue[] {
    return this.bound({});
  }

  /** In the order of their placeholders. */
  bound(bindings: Bindings): SqlValue[] {
    const values: SqlValue[] = [];
    for (const part of this.parts) values.push(typeof part === 'function' ? part(bindings) : part);
    return values;
  }
}

/** A statement that is put together once, and run with other bindings each time. */
export class Statement {
  readonly params = new Parameters();
  readonly sql: string;

  constructor(write: (params: Parameters) => string) {
    this.sql = write(this.params);
  }
}
