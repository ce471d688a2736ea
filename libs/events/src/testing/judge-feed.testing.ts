import type { FeedEvent } from '../event-feed.js';
import type { Write } from './writers.testing.js';

/** How often each promise was broken. */
export interface FeedFaults {
  /** Followers that saw another sequence than the first. */
  different: number;
  /** Acknowledged writes without their event. */
  missing: number;
  /** Events of no write, or of one that was undone. */
  invented: number;
  repeated: number;
  /** A write that was answered before another was sent, and stands behind it. */
  disordered: number;
  /** A later event of a resource with an earlier state. */
  backwards: number;
}

export function noFeedFaults(): FeedFaults {
  return { different: 0, missing: 0, invented: 0, repeated: 0, disordered: 0, backwards: 0 };
}

export function countFeedFaults(faults: FeedFaults): number {
  return (Object.values(faults) as number[]).reduce((sum, count) => sum + count, 0);
}

/** Compares what followers have seen with what was written. @param writes all of them, of all instances. */
export function judgeFeed(sequences: readonly (readonly FeedEvent[])[], writes: readonly Write[]): FeedFaults {
  const [first = [], ...others] = sequences.map((events) => events.map(({ id }) => id));
  const [events = []] = sequences;
  const keys = events.map(keyOf);
  const known = new Map(writes.flatMap((write) => write.events.map((key) => [key, write] as const)));
  const seen = new Set(keys);
  const acknowledged = [...known].filter(([, { answeredAt }]) => answeredAt !== undefined);
  return {
    different: others.filter((ids) => ids.join() !== first.join()).length,
    missing: acknowledged.filter(([key]) => !seen.has(key)).length,
    invented: keys.filter((key) => !known.has(key)).length,
    repeated: keys.length - seen.size,
    disordered: disordered(keys.map((key) => known.get(key))),
    backwards: backwards(events),
  };
}

function disordered(writes: readonly (Write | undefined)[]): number {
  let count = 0;
  let lastSentAt = 0;
  for (const write of writes) {
    if (write?.answeredAt !== undefined && write.answeredAt < lastSentAt) count++;
    lastSentAt = Math.max(lastSentAt, write?.sentAt ?? 0);
  }
  return count;
}

function backwards(events: readonly FeedEvent[]): number {
  const states = new Map<string, number>();
  let count = 0;
  for (const { type, data } of events) {
    const { id, n } = data.object as { id: string; n: number };
    const state = type.endsWith('.deleted') ? n + 0.5 : n;
    if (state <= (states.get(id) ?? 0)) count++;
    states.set(id, state);
  }
  return count;
}

/** As writers name it. A deleted book is as it was written last, so it is known by who deletes. */
function keyOf({ type, data }: FeedEvent): string {
  const { id, mark } = data.object as { id: string; mark: string };
  return `${type} ${id} ${type === 'book.deleted' ? (mark.split('-')[0] ?? '') : mark}`;
}
