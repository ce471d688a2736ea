import type { Style } from '../pages/walk.js';
import { NotApplicable } from '../verdict.js';

export type Value = string | number | boolean;

export class Findings {
  private readonly lacking = new Map<Need, string>();
  /** Fields, with values, that a create request needs in addition to `name`. */
  required: Readonly<Record<string, unknown>> = {};
  /** The seed specification's name of the filter field. */
  filterField = 'color';
  /** Two accepted values of the filter field; generated values if the service accepts any. */
  colors: readonly [Value, Value] = ['', ''];
  colorsAreOwn = false;
  sortField = 'price';
  /** Converts numbers to values that sort in the same order. */
  sortValue: (number: number) => Value = (number) => number;
  /** The largest accepted page size of each style. */
  readonly pageSizes: Record<Style, number> = { offset: 20, cursor: 20 };
  /** Cookies of the first response, in the form of a `Cookie` header. */
  cookie = '';
  /** Path of the orders of an existing user. */
  ordersPath = '';
  /** Notes for the user, such as a section that could not be judged. */
  readonly notes: string[] = [];

  lacks(needs: Need | readonly Need[], reason: string): void {
    for (const need of [needs].flat()) this.lacking.set(need, reason);
  }

  has(need: Need): boolean {
    return !this.lacking.has(need);
  }

  /** @throws {NotApplicable} A need is missing; the message is the reason. */
  demand(needs: readonly Need[]): void {
    for (const need of needs) {
      const reason = this.lacking.get(need);
      if (reason !== undefined) throw new NotApplicable(reason);
    }
  }
}

/** Features of a service. Discovery records a reason for each missing feature. */
export type Need =
  | 'items.write'
  | 'envelope'
  | 'name.text'
  | 'credential'
  | 'loopback'
  | 'read-only'
  | 'offset'
  | 'cursor'
  | 'color'
  | 'price'
  | 'users'
  | 'orders'
  | 'keys'
  | 'sessions';
