import type { Database } from '../data/database/database.js';
import { Parameters } from '../data/lists/page-statement.js';

import { isSession, SESSION_CLIENT } from './audit/session-actor.js';
import { isAfter, isUpTo, keyColumn } from './event-key.js';
import { timeOf } from './event-id.js';
import type { EventFilter, TimeRange } from './event-ranges.js';
import type { FeedTable } from './feed-table.js';
import type { Visibility } from './visibility.js';

/** So much of an event as says whom it concerns. */
export interface News {
  readonly id: string;
  readonly type: string;
  readonly object_id: string | null;
  /** Of an event. */
  readonly owner_id?: string | null;
  /** Of an audit event, as the next three. */
  readonly actor_type?: string;
  readonly user_id?: string | null;
  readonly credential_id?: string | null;
  readonly client_id?: string | null;
}

/** More than are looked through for those who wait: then all of them look for themselves. */
const MOST = 200;

/** What has come to the feed behind a place, oldest first; undefined where it is too much to look through. */
export async function newsBetween(
  database: Database,
  { name, newsColumns }: FeedTable,
  after: string,
  upTo: string,
): Promise<News[] | undefined> {
  const { dialect } = database;
  const params = new Parameters();
  const where = `${isAfter(dialect, after, params)} AND ${isUpTo(dialect, upTo, '<=', params)}`;
  const news = await database.query<News>(
    `SELECT ${newsColumns} FROM ${name} WHERE ${where} ORDER BY ${keyColumn(dialect)} LIMIT ${String(MOST)}`,
    params.values,
  );
  return news.length < MOST ? news : undefined;
}

/** Whether a reader of events asks for it, and may see it. */
export function concerns(
  { types, objectId, range }: EventFilter,
  { all, own, userId }: Visibility,
): (news: News) => boolean {
  return ({ id, type, object_id: object, owner_id: owner }) =>
    isWithin(id, range) &&
    (types?.includes(type) ?? true) &&
    (objectId === undefined || objectId === object) &&
    (all.includes(type) || (own.includes(type) && userId !== null && owner === userId));
}

/** Whether a reader of the audit asks for it. */
export function isAuditedFor({ types, objectId, actorId, range }: EventFilter): (news: News) => boolean {
  return (news) =>
    isWithin(news.id, range) &&
    (types?.includes(news.type) ?? true) &&
    (objectId === undefined || objectId === news.object_id) &&
    (actorId === undefined || actorsOf(news).includes(actorId));
}

function actorsOf(news: News): readonly (string | null | undefined)[] {
  return [news.user_id, news.credential_id, isSession(news) ? SESSION_CLIENT : news.client_id];
}

function isWithin(id: string, { min = -Infinity, max = Infinity }: TimeRange = {}): boolean {
  const time = timeOf(id);
  return time >= min && time <= max;
}
