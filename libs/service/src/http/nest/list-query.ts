import { InvalidCursorError, MAX_CURSOR_LENGTH, parseQuery } from '@items/conventions';
import { QUEUED_AT, type ReceivedRequest } from '../received-request.js';
import { fairnessKeyOf } from '../scheduling/fairness-keys.js';
import { linkTarget, parseListQuery, type ListRequest, type ListRules } from '@items/paging';
import { preparedTexts, type PreparedTexts } from '../../data/database/prepared-texts.js';
import type { FastifyRequest } from 'fastify';

export interface ListQuery {
  readonly request: ListRequest;
  readonly linkTarget: string;
}

const parsed = new WeakMap<ListRules, PreparedTexts<ListQuery>>();

const CURSOR = 'cursor=';
const ENCODED = /[%+]/;

export type ListedRequest = Pick<FastifyRequest, 'raw' | 'callerId'>;

/**
 * Parses a list query. Queries that differ only in their cursor are parsed once.
 * @throws {InvalidQueryError} 400
 * @throws {TooManyValuesError} 400
 * @throws {InvalidCursorError} 400
 */
export function listRequestOf(
  request: ListedRequest,
  path: string,
  rules: ListRules,
): ListQuery & { readonly path: string } {
  const raw: ReceivedRequest = request.raw;
  const { url: target = '' } = raw;
  let known = parsed.get(rules);
  if (known === undefined) parsed.set(rules, (known = preparedTexts<ListQuery>()));
  const { rest, cursor } = withoutCursor(target);
  // A cursor selects cursor pagination, so queries with and without a cursor are cached separately.
  const key = cursor === undefined ? rest : `${CURSOR} ${rest}`;
  let query = known.get(key);
  if (query === undefined) known.set(key, (query = read(target, path, rules)));
  if (cursor === '' || (cursor?.length ?? 0) > MAX_CURSOR_LENGTH) throw new InvalidCursorError();
  const who = { caller: () => fairnessKeyOf(raw), reader: () => request.callerId, arrivedAtMs: raw[QUEUED_AT] };
  return {
    path,
    request: { ...query.request, ...who, ...(cursor !== undefined && { cursor }) },
    linkTarget: query.linkTarget,
  };
}

function read(target: string, path: string, rules: ListRules): ListQuery {
  const start = target.indexOf('?');
  const pairs = start === -1 ? [] : parseQuery(target.slice(start + 1));
  return { request: parseListQuery(pairs, rules), linkTarget: linkTarget(path, pairs) };
}

/** Splits off the cursor. If it is encoded or missing, `rest` is the whole target. */
function withoutCursor(target: string): { rest: string; cursor?: string } {
  const query = target.indexOf('?');
  const at = query === -1 ? -1 : target.indexOf(CURSOR, query);
  if (at === -1 || !'?&'.includes(target.charAt(at - 1))) return { rest: target };
  const end = target.indexOf('&', at);
  const cursor = target.slice(at + CURSOR.length, end === -1 ? undefined : end);
  if (ENCODED.test(cursor)) return { rest: target };
  return { rest: target.slice(0, at) + (end === -1 ? '' : target.slice(end + 1)), cursor };
}
