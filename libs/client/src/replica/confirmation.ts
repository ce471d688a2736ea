import { changeTo } from './rows.js';
import type { Change, Identified } from './store.js';

/**
 * Confirms that the service still has all writes that a load has shown. On PostgreSQL, a walk may show a write up to 5 s
 * before the feed lists it. A restored backup may lose this write although it knows the position of the load.
 */
export interface Confirmation<Row> {
  readonly isPending: () => boolean;
  /** Returns the position to store. After a crash, the next run continues an unfinished confirmation from it. */
  readonly positionAt: (after: string) => string;
  /**
   * Continues with the end of the feed.
   * @param asOfMs time of this end.
   * @returns false if the service has lost a write.
   */
  readonly check: (asOfMs: number) => Promise<boolean>;
  /** Records a change that an event has made. */
  readonly note: (difference: Change<Row>) => void;
}

/** Longest time between a write and its listing in the feed. SPEC §6.1 */
const LISTING_MS = 5000;

/**
 * @param cursor of the last page of the walk. The service refuses it once it has lost a write of the walk. Empty if the
 * walk had one page. Undefined if the load is confirmed.
 * @param rows of the copy.
 * @param read reads the last page again.
 */
export function confirmation<Row extends Identified>(
  cursor: string | undefined,
  rows: ReadonlyMap<string, Row>,
  read: (cursor: string) => Promise<readonly Row[]>,
): Confirmation<Row> {
  const listedByMs = performance.now() + LISTING_MS;
  /** Ids that have changed since `page` was read. */
  const changed = new Set<string>();
  let page: readonly Row[] | undefined;

  return {
    isPending: () => cursor !== undefined,
    positionAt: (after) => (cursor === undefined ? after : `${after} ${cursor}`),
    check: async (asOfMs) => {
      const isFirst = page === undefined;
      if (cursor === undefined || (isFirst && asOfMs < listedByMs)) return true;
      page ??= await read(cursor);
      const isDifferent = cursor === '' && idsOf(changeTo(rows, page)).some((id) => !changed.has(id));
      if (!isDifferent) cursor = page = undefined;
      // The first difference may be an event that the feed lists next.
      return isFirst || !isDifferent;
    },
    note: (difference) => {
      if (page) for (const id of idsOf(difference)) changed.add(id);
    },
  };
}

function idsOf<Row extends Identified>({ upserted, deleted }: Change<Row>): readonly string[] {
  return [...upserted.map(({ id }) => id), ...deleted];
}
