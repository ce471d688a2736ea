import type { Event } from '@items/dtos/contract';
import type { CallOptions } from '../client-options.js';
import type { OneOrMore } from '../collections/list-query.js';
import { pauseFor, type Reach } from '../collections/reach.js';
import { retryAfterMs } from '../http/retry.js';
import { isTransient } from '../http/transport.js';
import { feedPages, type FeedPage } from './feed-pages.js';

export interface FollowOptions extends CallOptions {
  /** Start after this position or event id. Default: start with the oldest retained event. */
  readonly after?: string | undefined;
  /** Types, or all types of a subject: `item.*`. Default: all that the credential may read. */
  readonly types?: OneOrMore<`${string}.${string}`> | undefined;
  /** Only events of this resource. */
  readonly objectId?: string | undefined;
  /**
   * Called with the position of each page, even of an empty one. Store it, because the position of the last event can
   * expire.
   */
  readonly onPlace?: ((after: string) => void) | undefined;
  /** Called with each error before the next attempt. */
  readonly onFault?: ((error: unknown) => void) | undefined;
}

export interface AuditFollowOptions extends FollowOptions {
  /** Only changes by this user, credential or client. */
  readonly actorId?: string | undefined;
}

export interface FollowedEvent<Member = Event> {
  readonly event: Member;
  /** Pass it to `follow` to continue after this event. */
  readonly after: string;
}

export type ReadPage = (
  query: {
    readonly after: string | undefined;
    readonly type: FollowOptions['types'];
    readonly object_id: string | undefined;
    readonly actor_id: string | undefined;
    readonly limit: number;
    readonly wait: number;
  },
  options: CallOptions,
) => Promise<FeedPage>;

/** Duration of a long poll: the maximum of the service. SPEC §6.1 */
const WAIT_SECONDS = 20;
/** Minimum pause after an error or an early empty page, such as during a shutdown of the service. */
const LEAST_PAUSE_MS = 1000;

export async function* follow(
  reach: Reach,
  name: string,
  read: ReadPage,
  { after, types, objectId, actorId, onPlace, onFault, ...call }: AuditFollowOptions = {},
): AsyncGenerator<FollowedEvent, void, undefined> {
  const signals = [reach.signal, call.signal];
  const timeoutMs = WAIT_SECONDS * 1000 + (call.timeoutMs ?? reach.timeoutMs);
  const pause = (ms: number): Promise<void> => pauseFor(reach, ms, call.signal);
  let hasBegun = false;
  let startedMs = 0;

  const pauseAfter = (error: unknown): number => {
    if (!hasBegun || !isTransient(error)) throw error;
    onFault?.(error);
    return longPause(error, reach);
  };
  const pages = feedPages(name, after, { pauseAfter, pause }, (position) => {
    startedMs = performance.now();
    return read(
      { type: types, object_id: objectId, actor_id: actorId, limit: 100, wait: WAIT_SECONDS, after: position },
      { ...call, timeoutMs },
    );
  });

  for await (const page of pages) {
    hasBegun = true;
    const members = page[name] as readonly Event[];
    const last = members.at(-1);
    for (const event of members) {
      for (const signal of signals) signal?.throwIfAborted();
      yield { event, after: event === last ? page.after : event.id };
    }
    onPlace?.(page.after);
    const isHasty = last === undefined && performance.now() - startedMs < LEAST_PAUSE_MS;
    if (isHasty) await pause(LEAST_PAUSE_MS);
  }
}

function longPause(error: unknown, { retry }: Reach): number {
  return Math.max(retryAfterMs(error) ?? 0, retry.maxDelayMs, LEAST_PAUSE_MS);
}
