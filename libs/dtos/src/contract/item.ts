import type { Resource } from './resource.js';

/** The body to create or replace an item. SPEC §2.1 */
export interface ItemInput {
  /** 1–200 code points after trimming. */
  readonly name: string;
  /** At most 2000 code points. */
  readonly description?: string | null;
  /** 1–30 code points without a comma. */
  readonly color?: string | null;
  /** 0 – 999 999 999.99 in the service's currency, at most two decimals. */
  readonly price?: number | null;
}

/** An item in a response. SPEC §2.1 */
export interface Item extends Resource, Required<ItemInput> {}
