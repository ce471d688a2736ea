import {
  DEFAULT_PAGE_SIZE,
  InvalidCursorError,
  InvalidQueryError,
  lowerCaseUuid,
  MAX_CURSOR_LENGTH,
  MAX_PAGE_SIZE,
  shownName,
} from '@items/conventions';
import { parseRange, requireFewCombinations, timeRange } from '@items/paging';
import { isRowId } from '../data/schema/row-id.js';

import type { EventsRequest } from './event-feed.js';
import type { TimeRange } from './event-ranges.js';
import { isEventId } from './event-id.js';
import { SESSION_CLIENT } from './audit/audit-event.js';

export const MAX_WAIT_SECONDS = 20;
const PARAMETERS = ['limit', 'cursor', 'after', 'wait', 'sort', 'type', 'object_id', 'timestamp_min', 'timestamp_max'];
/** The admin key has this id, not a UUID. */
const ADMIN_KEY_ID = 'admin';

export interface EventsQuery extends EventsRequest {
  readonly waitMs: number;
}

/**
 * Throws only the first error. Unknown and repeated parameters are checked first, in the order sent. Then values are
 * checked in a fixed order.
 */
export function parseEventsQuery(
  pairs: readonly (readonly [name: string, value: string])[],
  kinds: readonly string[],
): EventsQuery {
  return queryOf(uniqueParameters(pairs, PARAMETERS), kinds);
}

export function parseAuditQuery(
  pairs: readonly (readonly [name: string, value: string])[],
  kinds: readonly string[],
): EventsQuery {
  const given = uniqueParameters(pairs, [...PARAMETERS, 'actor_id']);
  const query = queryOf(given, kinds);
  const isActor = (id: string): boolean => id === ADMIN_KEY_ID || id === SESSION_CLIENT || isRowId(id);
  const actorId = idAmong(given, 'actor_id', isActor, 'the id of one user, credential or client');
  return actorId === undefined ? query : { ...query, actorId };
}

function queryOf(given: ReadonlyMap<string, string>, kinds: readonly string[]): EventsQuery {
  const [cursor, sort, type] = ['cursor', 'sort', 'type'].map((name) => given.get(name));
  if (cursor === '' || (cursor?.length ?? 0) > MAX_CURSOR_LENGTH) throw new InvalidCursorError();
  const limit = wholeNumber('limit', given.get('limit'), { min: 1, fallback: DEFAULT_PAGE_SIZE });
  const waitSeconds = wholeNumber('wait', given.get('wait'), { min: 0, max: MAX_WAIT_SECONDS, fallback: 0 });
  const descending = isDescending(sort);
  if (descending && waitSeconds > 0) {
    throw new InvalidQueryError('wait', 'not_allowed', '"wait" is for the end of the feed: leave out "sort".');
  }
  const after = idAmong(given, 'after', isEventId, 'the "after" of a page, or the id of an event');
  const objectId = idAmong(given, 'object_id', isRowId, 'the id of one resource');
  const range = parseRange('timestamp', timeRange, given) as TimeRange | undefined;
  return {
    limit: Math.min(limit, MAX_PAGE_SIZE),
    ...(range !== undefined && { range }),
    waitMs: waitSeconds * 1000,
    descending,
    ...(cursor !== undefined && { cursor }),
    ...(after !== undefined && { after }),
    ...(type !== undefined && { types: expandTypes(type, kinds) }),
    ...(objectId !== undefined && { objectId }),
  };
}

function idAmong(
  given: ReadonlyMap<string, string>,
  name: string,
  isValid: (id: string) => boolean,
  expected: string,
): string | undefined {
  const text = given.get(name);
  const id = text && lowerCaseUuid(text);
  if (id === undefined || isValid(id)) return id;
  throw new InvalidQueryError(name, 'not_allowed', `"${name}" must be ${expected}.`);
}

function uniqueParameters(
  pairs: readonly (readonly [string, string])[],
  known: readonly string[],
): Map<string, string> {
  const given = new Map<string, string>();
  for (const [name, value] of pairs) {
    if (name === 'page' || name === 'per_page') {
      const message = `"${name}" is not a parameter of this list: it has cursor style only, with "limit" and "cursor".`;
      throw new InvalidQueryError(name, 'unknown_parameter', message);
    }
    if (!known.includes(name)) {
      const shown = shownName(name);
      throw new InvalidQueryError(shown, 'unknown_parameter', `"${shown}" is not a parameter of this list.`);
    }
    if (given.has(name)) throw new InvalidQueryError(name, 'repeated_parameter', `"${name}" is given more than once.`);
    given.set(name, value);
  }
  return given;
}

function wholeNumber(
  name: string,
  text: string | undefined,
  { min, max = Infinity, fallback }: { readonly min: number; readonly max?: number; readonly fallback: number },
): number {
  if (text === undefined) return fallback;
  if (!/^[0-9]+$/.test(text)) {
    throw new InvalidQueryError(name, 'wrong_type', `"${name}" must be a whole number, in digits.`);
  }
  const number = Number(text);
  if (number >= min && number <= max) return number;
  const bounds = max === Infinity ? `at least ${String(min)}` : `from ${String(min)} to ${String(max)}`;
  const params = max === Infinity ? { min } : { min, max };
  throw new InvalidQueryError(name, 'out_of_range', `"${name}" must be ${bounds}.`, params);
}

function isDescending(sort: string | undefined): boolean {
  if (sort === undefined || sort === 'timestamp') return false;
  if (sort === '-timestamp') return true;
  throw new InvalidQueryError('sort', 'unknown_sort', '"sort" must be timestamp or -timestamp.');
}

/** Expands `item.*,order.created` to distinct sorted types, so that equal filters have one form. */
function expandTypes(text: string, kinds: readonly string[]): readonly string[] {
  const elements = [...new Set(text.split(','))];
  const requested = elements.flatMap((element) => {
    const matching = kinds.filter((kind) => kind === element || element === `${subjectOf(kind)}.*`);
    if (matching.length > 0) return matching;
    const values = [...kinds, ...new Set(kinds.map((kind) => `${subjectOf(kind)}.*`))];
    const message = `Each element of "type" must be one of ${values.join(', ')}.`;
    throw new InvalidQueryError('type', 'not_allowed', message, { values });
  });
  requireFewCombinations([elements]);
  return [...new Set(requested)].sort();
}

function subjectOf(kind: string): string {
  return kind.slice(0, kind.indexOf('.'));
}
