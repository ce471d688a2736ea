import type { AuditEvent } from '../audit/audit-event.js';
import type { FeedEvent } from '../event-feed.js';
import type { Write } from './writers.testing.js';

/** Number of violations of each guarantee. */
export interface FeedFaults {
  /** Followers whose sequence differs from the first. */
  different: number;
  /** Acknowledged writes without their event. */
  missing: number;
  /** Events without a committed write. */
  invented: number;
  repeated: number;
  /** Writes that follow another write in the feed although they were acknowledged before it was sent. */
  disordered: number;
  /** Later events of a resource with an earlier state. */
  backwards: number;
  /** Readers of the audit whose sequence differs from the first. */
  audits: number;
  /** Changes without exactly one record that names their credential and request, and records without a change. */
  unrecorded: number;
}

export function noFeedFaults(): FeedFaults {
  return { different: 0, missing: 0, invented: 0, repeated: 0, disordered: 0, backwards: 0, audits: 0, unrecorded: 0 };
}

export function countFeedFaults(faults: FeedFaults): number {
  return (Object.values(faults) as number[]).reduce((sum, count) => sum + count, 0);
}

/** Compares the sequences of followers with the writes of all instances. */
export function judgeFeed(
  sequences: readonly (readonly FeedEvent[])[],
  writes: readonly Write[],
): Omit<FeedFaults, 'audits' | 'unrecorded'> {
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

/** Compares the records of audit readers with the events of the same time. */
export function judgeAudit(
  sequences: readonly (readonly AuditEvent[])[],
  events: readonly FeedEvent[],
  writes: readonly Write[],
): Pick<FeedFaults, 'audits' | 'unrecorded'> {
  const [records = [], ...others] = sequences;
  const made = new Map(writes.map((write) => [write.requestId, new Set(write.events)]));
  const is = ({ id, type, actor, request_id: request, object }: AuditEvent, event: FeedEvent | undefined): boolean => {
    if (event?.id !== id || event.type !== type || request === null) return false;
    const [credential] = request.split(' ');
    const isItsObject = (event.data.object as { id: string }).id === object.id;
    return isItsObject && credential === actor.credential_id && made.get(request)?.has(keyOf(event)) === true;
  };
  const wrong = records.filter((record, index) => !is(record, events[index])).length;
  const idsOf = (sequence: readonly AuditEvent[]): string => sequence.map(({ id }) => id).join();
  return {
    audits: others.filter((other) => idsOf(other) !== idsOf(records)).length,
    unrecorded: wrong + Math.max(0, events.length - records.length),
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

/** A deletion has the mark of the last write before it, so its key contains only the name of the writer. */
function keyOf({ type, data }: FeedEvent): string {
  const { id, mark } = data.object as { id: string; mark: string };
  return `${type} ${id} ${type === 'book.deleted' ? (mark.split('-')[0] ?? '') : mark}`;
}
