import { NotApplicable } from '../verdict.js';
import { type Need } from './need.js';

/** What discovery learned about the service. */
export class Findings {
  private readonly lacking = new Map<Need, string>();
  /** What a create request needs beside `name`. */
  required: Readonly<Record<string, unknown>> = {};
  /** Two colours that the service takes; they are the tool's own where it takes any. */
  colors: readonly [string, string] = ['', ''];
  colorsAreOwn = false;
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
