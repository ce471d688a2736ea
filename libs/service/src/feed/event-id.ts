import { randomUUID } from 'node:crypto';

import type { Dialect } from '../data/schema/dialect.js';

/** As the ids of events are written: UUIDv7, with microseconds in `rand_a`. RFC 9562 §5.7, §6.2 method 3 */
const EVENT_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** What an id ends in: random digits behind the time. Those of gaps come behind those of events of the same time. */
const TAILS = { event: '8', gap: 'b' };
/** Behind all ids of the same time. */
const LAST_TAIL = 'bfff-ffffffffffff';

/** Of a gap before all events. */
export const FIRST_PLACE = '00000000-0000-7000-b000-000000000000';

/** Whether a text can be the id of an event; what cannot is not asked of the database. */
export function isEventId(text: string): boolean {
  return EVENT_ID.test(text);
}

/** The last sixteen digits of an id. */
export function randomTail(of: keyof typeof TAILS): string {
  return `${TAILS[of]}${randomUUID().slice(20)}`;
}

/**
 * An expression: the id of what has this stamp. The order of ids is the order of stamps.
 * @param seq an expression: microseconds since the epoch.
 * @param tail an expression: what {@link randomTail} gave.
 */
export function idSql(dialect: Dialect, seq: string, tail: string): string {
  if (dialect === 'postgres') {
    const time = `lpad(to_hex(${seq} / 1000), 12, '0') || '7' || lpad(to_hex(${seq} % 1000), 3, '0')`;
    return `(${time} || CAST(${tail} AS text))::uuid`;
  }
  return `printf('%08x-%04x-7%03x-%s', ${seq} / 1000 >> 16, (${seq} / 1000) & 65535, ${seq} % 1000, ${tail})`;
}

/** An expression: no id of this stamp, or of an earlier one, is above it. */
export function lastIdSql(dialect: Dialect, seq: string): string {
  return idSql(dialect, seq, `'${LAST_TAIL}'`);
}

/** The same for a time of this machine. @param ms since the epoch. */
export function lastIdAt(ms: number): string {
  const time = Math.max(0, Math.floor(ms)).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-${LAST_TAIL}`;
}

/** Below the ids of all events of a time, and above those before it. @param ms since the epoch. */
export function firstIdAt(ms: number): string {
  return `${lastIdAt(ms).slice(0, 19)}0000-000000000000`;
}

/**
 * The place behind all that has this stamp, or an earlier one, whether or not there is an event of it.
 * @param seq microseconds since the epoch, as the stamp of a write says it.
 */
export function placeOf(seq: number): string {
  const time = Math.floor(seq / 1000)
    .toString(16)
    .padStart(12, '0');
  const micros = (seq % 1000).toString(16).padStart(3, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${micros}-${LAST_TAIL}`;
}

/** Whether it is that of a gap, or of a place behind all of the same time. */
export function isGap(id: string): boolean {
  return id.charAt(19) >= TAILS.gap;
}

/** The stamp that it was made of, in microseconds since the epoch. */
export function microsOf(id: string): number {
  return timeOf(id) * 1000 + Number.parseInt(id.slice(15, 18), 16);
}

/** When it happened, in milliseconds since the epoch, by the clock that orders all events. */
export function timeOf(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}
