import type { ApiCall } from '../calls/api-call.js';
import type { CallOptions } from '../client-options.js';
import { listName } from '../collections/collection.js';
import type { Filters } from '../collections/list-query.js';
import { lists } from '../collections/lists.js';
import type { Source } from '../collections/source.js';
import { isStatus } from '../errors/api-error-status.js';
import { ExpiredCursorError } from '../errors/items-api-error.js';
import { feedPages, persist, type FeedPage } from '../events/feed-pages.js';
import { confirmation } from './confirmation.js';
import type { CopyState } from './copy-state.js';
import { requests } from './requests.js';
import { change, changeBy, type RowEvent } from './rows.js';
import type { Identified, ReplicaStore, StoredCopy } from './store.js';

interface Pages<Page> {
  readonly page: (query: Filters, options: CallOptions) => ApiCall<Page & { readonly next_cursor?: string }>;
}

/** Longest wait of the service for an event. SPEC §6.1 */
const WAIT_MS = 20_000;
/** Minimum interval between two requests once the copy is complete. */
const GAP_MS = 1000;
/** A long poll that ends earlier than its `wait` by more than this has returned early. */
const TOLERANCE_MS = 500;
/**
 * Subject whose events stay partly readable without permission for the whole list, so no error shows a lost permission.
 */
const PARTIAL_EVENTS = 'orders';
/** Interval of the check that the permission still exists. */
const RIGHT_CHECK_MS = 30_000;
/** Pause after a long poll that returned early, or a load that expired. */
const LONG_PAUSE_MS = 5000;

/**
 * Loads the copy, unless one is stored, and follows the feed until the signal aborts.
 * @param store gets each change before it is published.
 * @throws {ItemsApiError} if the credential lacks permission, or the service has no events.
 * @throws the abort reason of the signal.
 */
export async function lead<Row extends Identified>(
  { reach, path, events }: Source,
  state: CopyState<Row>,
  store: Pick<ReplicaStore<Row>, 'apply'> & { replace(copy: StoredCopy<Row>): Promise<void> },
  stored: StoredCopy<Row> | undefined,
  onError: (error: unknown) => void,
  signal: AbortSignal,
): Promise<void> {
  const type = `${String(events)}.*`;
  const members = lists(reach.transport, path, listName(path)) as unknown as Pages<Record<string, Row[]>>;
  const feed = lists(reach.transport, 'events', 'events', 'after') as unknown as Pages<FeedPage>;
  const changesOf = (page: FeedPage, rows: ReadonlyMap<string, Row>, gone: ReadonlySet<string> = new Set()) =>
    changeBy(rows, page['events'] as RowEvent<Row>[], gone);
  const pageAt = (cursor: string): Filters => ({ limit: 100, cursor: cursor || undefined });
  let isLoading = false;

  const line = requests(reach, signal, {
    onFault: (error) => state.setStatus(isLoading && isStatus(error, 429) ? 'loading' : 'offline'),
    onError,
  });
  const get = async <Page>(call: (options: CallOptions) => ApiCall<Page>): Promise<Page> => {
    const page = await persist(line, () => line.send(call));
    state.setStatus('loading');
    return page;
  };

  /** Reads a position, then the rows, then the events after the position. This order misses no write. Then shows the copy. */
  const load = async (): Promise<string> => {
    const { after } = await get((options) => feed.page({ type, sort: '-timestamp', limit: 1 }, options));
    const rows = new Map<string, Row>();
    let witness = '';
    for (;;) {
      const page = await get((options) => members.page(pageAt(witness), options));
      for (const row of page[listName(path)] ?? []) rows.set(row.id, row);
      if (page.next_cursor === undefined) break;
      witness = page.next_cursor;
    }
    const pages = feedPages('events', after, line, (position) =>
      get((options) => feed.page({ type, limit: 100, after: position }, options)),
    );
    for await (const page of pages) {
      change(rows, changesOf(page, rows));
      if (page['next_cursor'] !== undefined) continue;
      const position = `${page.after} ${witness}`;
      await store.replace({ rows: [...rows.values()], position });
      state.show(rows);
      return position;
    }
    // Never reached: the pages of the feed do not end.
    return '';
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

  /** Resolves if the service has lost writes that the load has shown. */
  const follow = async (from: string): Promise<void> => {
    const [after = '', cursor] = from.split(/ (.*)/);
    let position = after;
    const read = (query: Filters) =>
      persist(line, () => line.send((options) => members.page(query, options), 0, GAP_MS));
    const load = confirmation(cursor, state.rows, async (last) => (await read(pageAt(last)))[listName(path)] as Row[]);
    let isBehind = false;
    let isUrgent = false;
    let waitMs = 0;
    let startedMs = 0;
    let checkedMs = Number.NEGATIVE_INFINITY;
    const checkRight = async (): Promise<void> => {
      if (path !== PARTIAL_EVENTS || performance.now() - checkedMs < RIGHT_CHECK_MS) return;
      await read({ limit: 1 });
      checkedMs = performance.now();
    };
    const pages = feedPages('events', after, line, async (at) => {
      await checkRight();
      const isFault = !line.isHealthy();
      // A fault or an early response may be the restart after a restored backup.
      isUrgent = load.isPending() && (isUrgent || isFault);
      waitMs = isBehind || isFault || isUrgent ? 0 : WAIT_MS;
      return line.send(
        (options) => {
          startedMs = performance.now();
          const wait = waitMs === 0 ? undefined : waitMs / 1000;
          return feed.page({ type, limit: 100, after: at, wait }, options);
        },
        waitMs,
        isBehind ? 0 : GAP_MS,
      );
    });
    for await (const page of pages) {
      const isEmpty = (page['events'] as unknown[]).length === 0;
      const isEarly = performance.now() - startedMs < waitMs - TOLERANCE_MS;
      const difference = changesOf(page, state.rows, state.gone);
      if (page.after !== position) await store.apply({ ...difference, position: load.positionAt(page.after) });
      position = page.after;
      state.publish(difference);
      isBehind = page['next_cursor'] !== undefined;
      if (!isBehind) state.setStatus('following');
      else if (state.status() !== 'following') state.setStatus('offline');
      if (isEarly && isEmpty) {
        isUrgent = true;
        await line.pause(LONG_PAUSE_MS);
      }

      load.note(difference);
      if (isBehind || !load.isPending()) continue;
      // An empty page shows the feed at the end of the wait.
      if (!(await load.check(startedMs + (isEmpty && !isEarly ? waitMs - TOLERANCE_MS : 0)))) return;
      if (!load.isPending()) await store.apply({ upserted: [], deleted: [], position });
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
