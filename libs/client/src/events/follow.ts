import type { Event } from '@items/dtos/contract';

import type { CallOptions } from '../client-options.js';
import type { OneOrMore } from '../collections/list-query.js';
import { pauseFor, type Reach } from '../collections/reach.js';
import { askedDelayMs } from '../http/retry.js';
import { isTransient } from '../http/transport.js';
import { feedPages, type FeedPage } from './feed-pages.js';

/** How the feed is followed. */
export interface FollowOptions extends CallOptions {
  /** The place, or the event, behind which it begins. Left out: with the oldest event that is kept. */
  readonly after?: string | undefined;
  /** Kinds, or all of a subject: `item.*`. Left out: all that one may see. */
  readonly types?: OneOrMore<`${string}.${string}`> | undefined;
  /** Only what happened to this resource. */
  readonly objectId?: string | undefined;
  /**
   * Called with every position that was reached, also where no event came: with few events, a stored position stays valid
   * only if it moves on.
   */
  readonly onPlace?: ((after: string) => void) | undefined;
  /** Called with each fault before it goes on. */
  readonly onFault?: ((error: unknown) => void) | undefined;
}

/** How the audit is followed. */
export interface AuditFollowOptions extends FollowOptions {
  /** Only what this user, credential or client did. */
  readonly actorId?: string | undefined;
}

/** An event, and the place that was reached with it. */
export interface FollowedEvent<Member = Event> {
  readonly event: Member;
  /** What `follow` takes to go on behind this event. */
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

/** The longest that the service waits with an empty page. SPEC §6.1 */
const WAIT_SECONDS = 20;
/** Who does not wait, a service that stops say, is not asked more often than this. */
const LEAST_PAUSE_MS = 1000;

/** See `Events.follow`. */
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

/** The longest wait between attempts, and no shorter than the service asks for. */
function longPause(error: unknown, { retry }: Reach): number {
  return Math.max(askedDelayMs(error) ?? 0, retry.maxDelayMs, LEAST_PAUSE_MS);
}
