import { NotApplicable } from '../verdict.js';
import { type Need } from './need.js';

/** A value of a field. */
export type Value = string | number | boolean;

/** What discovery learned about the service. */
export class Findings {
  private readonly lacking = new Map<Need, string>();
  /** What a create request needs beside `name`. */
  required: Readonly<Record<string, unknown>> = {};
  /** The field that lists are filtered by, by the specification's name. */
  filterField = 'color';
  /** Two values of it that the service takes; they are the tool's own where it takes any. */
  colors: readonly [Value, Value] = ['', ''];
  colorsAreOwn = false;
  /** The field that lists are sorted by, by the specification's name. */
  sortField = 'price';
  /** A value of it: the larger the number, the later it comes. */
  sortValue: (number: number) => Value = (number) => number;
  /** The largest page that was asked for with success, by style. */
  pageSize = 20;
  limitSize = 20;
  /** What the first answer set, as a browser would send it back. */
  cookie = '';
  /** The orders of a user that there is. */
  ordersPath = '';
  /** Sentences for the user: what a pass does not mean. */
  readonly notes: string[] = [];

  lacks(need: Need, reason: string): void {
    this.lacking.set(need, reason);
  }

  has(need: Need): boolean {
    return !this.lacking.has(need);
  }

  /** @throws {NotApplicable} with the reason, where the service lacks one of them. */
  demand(needs: readonly Need[]): void {
    for (const need of needs) {
      const reason = this.lacking.get(need);
      if (reason !== undefined) throw new NotApplicable(reason);
    }
  }
}
