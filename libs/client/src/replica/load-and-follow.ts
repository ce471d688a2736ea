import type { ApiCall } from '../calls/api-call.js';
import type { CallOptions } from '../client-options.js';
import { listName } from '../collections/collection.js';
import type { Filters } from '../collections/list-query.js';
import { lists } from '../collections/lists.js';
import type { Source } from '../collections/reach.js';
import { ExpiredCursorError, isStatus } from '../errors/items-api-error.js';
import { feedPages, retryUntilSuccess, type FeedPage } from '../events/feed-pages.js';
import type { CopyState } from './copy-state.js';
import { requests } from './requests.js';
import { byId, change, changeBy, changeTo, isEmptyChange, type RowEvent } from './rows.js';
import type { Identified, ReplicaStore, StoredCopy } from './store.js';

interface Pages<Page> {
  readonly page: (query: Filters, options: CallOptions) => ApiCall<Page & { readonly next_cursor?: string }>;
}

/** Duration of a long poll: the maximum of the service. SPEC §6.1 */
const WAIT_MS = 20_000;
/** Minimum interval between two requests once the copy is complete. */
const GAP_MS = 1000;
/** A long poll counts as early if it ends more than this before its `wait`. */
const TOLERANCE_MS = 500;
/** Path of all orders. A user who may no longer list them gets events of own orders, but no 403 from the feed. */
const PARTIAL_EVENTS = 'orders';
/** Interval in which the permission to list all orders is checked. */
const RIGHT_CHECK_MS = 30_000;
/** Pause after a long poll ends early, or a load's cursor expires. */
const LONG_PAUSE_MS = 5000;
/** Maximum time between a write and its listing in the feed. SPEC §6.1 */
const LISTING_MS = 5000;

/**
 * Loads the copy, unless one is stored, and follows the feed until the signal aborts.
 * @param store Gets each change before it is published.
 * @throws {ItemsApiError} The credential lacks permission, or the service has no events.
 * @throws The abort reason of the signal.
 */
export async function loadAndFollow<Row extends Identified>(
  { reach, path, events }: Source,
  state: CopyState<Row>,
  store: Pick<ReplicaStore<Row>, 'apply'> & { replace(copy: StoredCopy<Row>): Promise<void> },
  stored: StoredCopy<Row> | undefined,
  onError: ((error: unknown) => void) | undefined,
  signal: AbortSignal,
): Promise<void> {
  const type = `${String(events)}.*`;
  const members = lists(reach.transport, path, listName(path)) as unknown as Pages<Record<string, Row[]>>;
  const feed = lists(reach.transport, 'events', 'events', 'after') as unknown as Pages<FeedPage>;
  const changesOf = (page: FeedPage, rows: ReadonlyMap<string, Row>, gone: ReadonlySet<string> = new Set()) =>
    changeBy(rows, page['events'] as RowEvent<Row>[], gone);
  // The first page has one row, so that even a walk of two rows has a cursor, which `follow` checks.
  const pageAt = (cursor: string): Filters => (cursor ? { limit: 100, cursor } : { limit: 1 });
  let isLoading = false;
  let isFirst = stored !== undefined;

  const line = requests(reach, signal, {
    onFault: (error) => state.setStatus(isLoading && isStatus(error, 429) ? 'loading' : 'offline'),
    onError,
  });
  const get = async <Page>(call: (options: CallOptions) => ApiCall<Page>): Promise<Page> => {
    const page = await retryUntilSuccess(line, () => line.send(call));
    state.setStatus('loading');
    return page;
  };

  /**
   * Reads a feed position, then all rows, then the events after the position, and publishes the copy. This order misses
   * no write.
   */
  const load = async (): Promise<string> => {
    let { after } = await get((options) => feed.page({ type, sort: '-timestamp', limit: 1 }, options));
    const walked: Row[] = [];
    let lastCursor = '';
    let next: unknown;
    do {
      const page = await get((options) => members.page(pageAt(lastCursor), options));
      walked.push(...(page[listName(path)] ?? []));
      next = page.next_cursor;
      lastCursor = page.next_cursor ?? lastCursor;
    } while (next !== undefined);
    const rows = byId(walked);
    do {
      const page = await get((options) => feed.page({ type, limit: 100, after }, options));
      change(rows, changesOf(page, rows));
      next = page['next_cursor'];
      after = page.after;
    } while (next !== undefined);
    const position = `${after} ${lastCursor}`;
    await store.replace({ rows: [...rows.values()], position });
    for (const id of state.rows.keys()) state.gone.add(id);
    for (const id of rows.keys()) state.gone.delete(id);
    state.show(rows);
    return position;
  };

  const reload = async (): Promise<string> => {
    isLoading = true;
    state.setStatus('loading');
    for (;;) {
      try {
        const position = await load();
        isLoading = false;
        state.setStatus('following');
        return position;
      } catch (error) {
        if (!(error instanceof ExpiredCursorError)) throw error;
        await line.pause(LONG_PAUSE_MS);
      }
    }
  };

  /**
   * Follows the feed, and confirms that the service still has all writes that the load has shown. Resolves if the
   * service may have lost such a write.
   *
   * On PostgreSQL, a walk may show a write up to 5 s before the feed lists it. A service restored from
   * a backup without this write may know the position of the load, but refuses the last cursor of the walk. So this
   * cursor is stored with the position, and sent when the feed has been read to its end 5 s later. A walk of at most
   * one row has no cursor, so the row itself is compared.
   */
  const follow = async (from: string): Promise<void> => {
    let [position, lastCursor] = from.split(/ (.*)/) as [string, string | undefined];
    const listedByMs = performance.now() + LISTING_MS;
    let isBehind = false;
    let isUrgent = false;
    let waitMs = 0;
    let startedMs = 0;
    let checkedMs = -Infinity;
    const read = (query: Filters) =>
      retryUntilSuccess(line, () => line.send((options) => members.page(query, options), 0, GAP_MS));
    const pages = feedPages('events', position, line, async (after) => {
      const isFault = isFirst || state.status() !== 'following';
      isFirst = false;
      // Confirm the load soon after a fault or an early response: the service may have restarted from a backup.
      isUrgent = lastCursor !== undefined && (isUrgent || isFault);
      waitMs = isBehind || isFault ? 0 : isUrgent ? GAP_MS : WAIT_MS;
      return line.send(
        (options) => {
          startedMs = performance.now();
          return feed.page({ type, limit: 100, after, wait: waitMs === 0 ? undefined : waitMs / 1000 }, options);
        },
        waitMs,
        isBehind ? 0 : GAP_MS,
      );
    });
    for await (const page of pages) {
      if (lastCursor === undefined) state.gone.clear();
      const isEmpty = (page['events'] as unknown[]).length === 0;
      const isEarly = isEmpty && performance.now() - startedMs < waitMs - TOLERANCE_MS;
      const difference = changesOf(page, state.rows, state.gone);
      if (page.after !== position) {
        position = page.after;
        await store.apply({
          ...difference,
          position: lastCursor === undefined ? position : `${position} ${lastCursor}`,
        });
      }
      state.publish(difference);
      isBehind = page['next_cursor'] !== undefined;
      if (!isBehind || state.status() !== 'following') state.setStatus(isBehind ? 'offline' : 'following');
      if (isEarly) {
        isUrgent = true;
        await line.pause(LONG_PAUSE_MS);
      }

      // The requests below would delay the next events, so they wait for a quiet moment, or until they are overdue.
      const nowMs = performance.now();
      const isQuiet = nowMs - startedMs >= GAP_MS;
      if (path === PARTIAL_EVENTS && nowMs - checkedMs > (isQuiet ? 1 : 2) * RIGHT_CHECK_MS) {
        await read({ limit: 1 });
        checkedMs = nowMs;
      }
      // Time up to which the feed is known. An empty page shows that no event came before the long poll ended.
      const asOfMs = startedMs + (isEmpty && !isEarly ? waitMs - TOLERANCE_MS : 0);
      const isListed = isQuiet ? asOfMs >= listedByMs : lastCursor !== '' && nowMs > listedByMs + WAIT_MS;
      if (lastCursor === undefined || isBehind || !isListed) continue;
      const last = (await read(pageAt(lastCursor)))[listName(path)] as Row[];
      if (lastCursor === '' && !isEmptyChange(changeTo(state.rows, last))) return;
      lastCursor = undefined;
      await store.apply({ upserted: [], deleted: [], position });
    }
  };

  let position = stored?.position;
  for (;;) {
    position ||= await reload();
    try {
      await follow(position);
    } catch (error) {
      if (!(error instanceof ExpiredCursorError)) throw error;
    }
    position = '';
  }
}
