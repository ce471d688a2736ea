import { randomUUID } from 'node:crypto';

import type { Dialect } from '../data/schema/dialect.js';

/** UUIDv7 with microseconds in `rand_a`. RFC 9562 §5.7, §6.2 method 3 */
const EVENT_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** First digit after the time: a gap (a row that marks missing events) sorts after events of its time. */
const TAILS = { event: '8', gap: 'b' };
const LAST_TAIL = 'bfff-ffffffffffff';

export const FIRST_POSITION = '00000000-0000-7000-b000-000000000000';

export function isEventId(text: string): boolean {
  return EVENT_ID.test(text);
}

export function randomTail(of: keyof typeof TAILS): string {
  return `${TAILS[of]}${randomUUID().slice(20)}`;
}

/**
 * @param seq SQL expression of a stamp: the time of a write, in microseconds since the epoch.
 * @param tail SQL expression of the result of {@link randomTail}.
 */
export function idSql(dialect: Dialect, seq: string, tail: string): string {
  if (dialect === 'postgres') {
    const time = `lpad(to_hex(${seq} / 1000), 12, '0') || '7' || lpad(to_hex(${seq} % 1000), 3, '0')`;
    return `(${time} || CAST(${tail} AS text))::uuid`;
  }
  return `printf('%08x-%04x-7%03x-%s', ${seq} / 1000 >> 16, (${seq} / 1000) & 65535, ${seq} % 1000, ${tail})`;
}

/** Upper bound of the ids up to this stamp. */
export function lastIdSql(dialect: Dialect, seq: string): string {
  return idSql(dialect, seq, `'${LAST_TAIL}'`);
}

/** Upper bound of the ids up to a time in milliseconds since the epoch. */
export function lastIdAt(ms: number): string {
  const time = Math.max(0, Math.floor(ms)).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-${LAST_TAIL}`;
}

/** Lower bound of the ids of a time in milliseconds since the epoch. */
export function firstIdAt(ms: number): string {
  return `${lastIdAt(ms).slice(0, 19)}0000-000000000000`;
}

/** Returns the position after all events up to a stamp. An event with this stamp need not exist. */
export function positionAfter(seq: number): string {
  const time = Math.floor(seq / 1000)
    .toString(16)
    .padStart(12, '0');
  const micros = (seq % 1000).toString(16).padStart(3, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${micros}-${LAST_TAIL}`;
}

/** Also returns true for upper bounds, such as {@link positionAfter}. */
export function isGap(id: string): boolean {
  return id.charAt(19) >= TAILS.gap;
}

export function microsOf(id: string): number {
  return timeOf(id) * 1000 + Number.parseInt(id.slice(15, 18), 16);
}

/** Milliseconds since the epoch, by the clock that orders all events. */
export function timeOf(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}
