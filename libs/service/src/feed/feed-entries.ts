import type { Database } from '../data/database/database.js';
import { Parameters } from '../data/lists/page-statement.js';

import { isAfter, isUpTo, keyColumn } from './event-key.js';
import { timeOf } from './event-id.js';
import type { TimeRange } from './event-ranges.js';
import type { FeedTable } from './feed-table.js';

/** Columns of an event that determine the concerned readers. */
export interface FeedEntry {
  readonly id: string;
  readonly type: string;
  readonly object_id: string | null;
  readonly owner_id?: string | null;
  /** Only audit events have this and the next three fields. */
  readonly actor_type?: string;
  readonly user_id?: string | null;
  readonly credential_id?: string | null;
  readonly client_id?: string | null;
}

/** At this number of entries or more, all waiting readers are woken, without matching. */
const MAX_ENTRIES = 200;

/** @returns Undefined if there are too many entries to match. */
export async function readEntries(
  database: Database,
  { name, entryColumns }: FeedTable,
  after: string,
  upTo: string,
): Promise<FeedEntry[] | undefined> {
  const { dialect } = database;
  const params = new Parameters();
  const where = `${isAfter(dialect, after, params)} AND ${isUpTo(dialect, upTo, '<=', params)}`;
  const entries = await database.query<FeedEntry>(
    `SELECT ${entryColumns} FROM ${name} WHERE ${where} ORDER BY ${keyColumn(dialect)} LIMIT ${String(MAX_ENTRIES)}`,
    params.values,
  );
  return entries.length < MAX_ENTRIES ? entries : undefined;
}

export function isWithin(id: string, { min = -Infinity, max = Infinity }: TimeRange = {}): boolean {
  const time = timeOf(id);
  return time >= min && time <= max;
}
