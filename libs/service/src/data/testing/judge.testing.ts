import { isDeepStrictEqual } from 'node:util';

import type { Deletions } from './deletions.testing.js';
import { expectedList, shown, type ItemRow, type WalkRequest } from './oracle.testing.js';

export interface ServedPage {
  readonly requestedAt: number;
  readonly answeredAt: number;
  readonly items: readonly { readonly id: string }[];
}

export interface Faults {
  /** Rows that the walk skipped. */
  skips: number;
  /** Rows that were served more than once. */
  duplicates: number;
  disorder: number;
  /** Rows after the end of the walk. */
  shortEndings: number;
  /** Rows that did not match at the first page, or were deleted long before they were served. */
  strangers: number;
  /** Rows whose values differ from the first page. */
  wrongValues: number;
}

export function noFaults(): Faults {
  return { skips: 0, duplicates: 0, disorder: 0, shortEndings: 0, strangers: 0, wrongValues: 0 };
}

export function countFaults(faults: Faults): number {
  return Object.values(faults).reduce<number>((sum, count) => sum + Number(count), 0);
}

/**
 * Compares a walk row by row with the state at its first page.
 * @param states Possible states of the first page: one state if a single statement read it.
 */
export function judge(
  request: WalkRequest,
  states: readonly (readonly ItemRow[])[],
  pages: readonly ServedPage[],
  deletions: Deletions,
): Faults {
  const verdicts = states.map((state) => judgeByState(expectedList(state, request), pages, deletions));
  return verdicts.sort((a, b) => countFaults(a) - countFaults(b))[0] ?? noFaults();
}

function judgeByState(expected: readonly ItemRow[], pages: readonly ServedPage[], deletions: Deletions): Faults {
  const faults = noFaults();
  const positions = new Map(expected.map((row, position) => [row.id, position]));
  const servedOn = new Map<number, ServedPage>();
  let reached = -1;
  for (const page of pages) {
    for (const item of page.items) {
      const position = positions.get(item.id);
      if (position === undefined || deletions.precedes(item.id, page.requestedAt)) {
        faults.strangers++;
        continue;
      }
      if (servedOn.has(position)) faults.duplicates++;
      else if (position < reached) faults.disorder++;
      if (!isDeepStrictEqual(item, shown(expected[position]!))) faults.wrongValues++;
      servedOn.set(position, page);
      reached = Math.max(reached, position);
    }
  }
  let page = pages.at(-1);
  for (let position = expected.length - 1; position >= 0; position--) {
    page = servedOn.get(position) ?? page;
    if (servedOn.has(position) || deletions.mayPrecede(expected[position]!.id, page?.answeredAt ?? 0)) continue;
    faults[position > reached ? 'shortEndings' : 'skips']++;
  }
  return faults;
}
