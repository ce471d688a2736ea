import type { Database } from '@items/store';

import { keyColumn, keyOf } from './event-key.js';
import type { EventFilter } from './event-ranges.js';
import type { Visibility } from './visibility.js';

/** So much of an event as says whom it concerns. */
export interface News {
  readonly id: string;
  readonly type: string;
  readonly object_id: string | null;
  readonly owner_id: string | null;
}

/** More than are looked through for those who wait: then all of them look for themselves. */
const MOST = 200;

/** What has come to the feed behind a place, oldest first; undefined where it is too much to look through. */
export async function newsBetween(database: Database, after: string, upTo: string): Promise<News[] | undefined> {
  const { dialect } = database;
  const key = keyColumn(dialect);
  const news = await database.query<News>(
    `SELECT id, type, object_id, owner_id FROM events WHERE ${key} > $1 AND ${key} <= $2 ORDER BY ${key} LIMIT ${String(MOST)}`,
    [keyOf(dialect, after), keyOf(dialect, upTo)],
  );
  return news.length < MOST ? news : undefined;
}

/** Whether a reader asks for it, and may see it. */
export function concerns({ types, objectId }: EventFilter, { all, own, userId }: Visibility): (news: News) => boolean {
  return ({ type, object_id: object, owner_id: owner }) =>
    (types?.includes(type) ?? true) &&
    (objectId === undefined || objectId === object) &&
    (all.includes(type) || (own.includes(type) && userId !== null && owner === userId));
}
