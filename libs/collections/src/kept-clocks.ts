import type { KeptWork, WriteGroup } from '@items/store';

import type { Stamp } from './stamp-terms.js';

/** Above the stamp of every committed write that made an event. */
export const ABOVE_ALL_EVENTS = 'SELECT coalesce(max(seq), 0) + 1 AS next FROM collection_lanes WHERE emits = 1';

/** SQLite has one writer, so that one lane is enough. */
const LANE = 0;

const READ = `SELECT seq, tick, event_seq, walks_until, (${ABOVE_ALL_EVENTS}) AS above FROM collection_lanes
  WHERE collection = $1 AND lane = ${String(LANE)}`;
const WRITE = `UPDATE collection_lanes SET seq = $1, n = n + $2, event_seq = $3, gaps = gaps + $4
  WHERE collection = $5 AND lane = ${String(LANE)}`;
const COUNT = `INSERT INTO collection_counts (collection, grp, lane, n) VALUES ($1, $2, ${String(LANE)}, $3)
  ON CONFLICT (collection, grp, lane) DO UPDATE SET n = n + excluded.n`;

/** The clock of a collection, as far as it has come. */
interface Clock {
  seq: number;
  /** Up to which readers of events were told that there is nothing more. */
  readonly tick: number;
  eventSeq: number;
  /** When the latest walk may have begun. */
  readonly walksUntil: number;
  /** Since it was read: rows, writes that made no event, and the counters of groups of rows. */
  added: number;
  gaps: number;
  readonly counts: Map<string, number>;
}

interface ClockRow {
  readonly seq: number;
  readonly tick: number;
  readonly event_seq: number;
  readonly walks_until: number;
  readonly above: number;
}

/**
 * The clocks and counters of the writes that commit together on SQLite: read with the first of them, written with the
 * last. In between nobody else can write, and who reads sees neither.
 */
export class KeptClocks implements KeptWork {
  private readonly clocks = new Map<string, Clock>();
  /** What {@link ABOVE_ALL_EVENTS} would say, were all of it written. */
  private above = 0;

  constructor(private readonly group: WriteGroup) {}

  /** @returns undefined where the collection has no clock. */
  stamp(collection: string, added: number, emits: boolean): Stamp | undefined {
    const clock = this.clocks.get(collection) ?? this.read(collection);
    if (clock === undefined) return undefined;
    const seq = Math.max(clock.seq + 1, Date.now() * 1000, emits ? this.aboveEvents(clock) : 0);
    if (emits) {
      if (clock.eventSeq !== clock.seq) clock.gaps += 1;
      clock.eventSeq = seq;
      this.above = seq + 1;
    }
    clock.seq = seq;
    clock.added += added;
    return { lane: LANE, seq };
  }

  /** Adjusts a counter of a collection that was stamped. */
  count(collection: string, group: string, by: number): void {
    const counts = this.clocks.get(collection)?.counts;
    counts?.set(group, (counts.get(group) ?? 0) + by);
  }

  /** Whether a walk of a collection that was stamped may have begun at a clock or after it. */
  isWalkedSince(collection: string, seq: number): boolean {
    return seq <= (this.clocks.get(collection)?.walksUntil ?? Infinity);
  }

  write(): void {
    for (const [collection, { seq, added, eventSeq, gaps, counts }] of this.clocks) {
      this.group.run(WRITE, [seq, added, eventSeq, gaps, collection]);
      for (const [group, by] of counts) if (by !== 0) this.group.run(COUNT, [collection, group, by]);
    }
  }

  private aboveEvents({ tick }: Clock): number {
    return Math.max(tick + 1, this.above);
  }

  private read(collection: string): Clock | undefined {
    const [row] = this.group.run<ClockRow>(READ, [collection]);
    if (row === undefined) return undefined;
    const { seq, tick, event_seq: eventSeq, walks_until: walksUntil, above } = row;
    const clock: Clock = { seq, tick, eventSeq, walksUntil, added: 0, gaps: 0, counts: new Map() };
    this.clocks.set(collection, clock);
    this.above = Math.max(this.above, above);
    return clock;
  }
}
