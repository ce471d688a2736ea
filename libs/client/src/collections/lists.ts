import type { CursorPage, OffsetPage } from '@items/conventions';

import { apiCall, type ApiCall } from '../calls/api-call.js';
import type { CallOptions } from '../client-options.js';
import { unexpected } from '../errors/error-of-answer.js';
import type { JsonObject } from '../errors/json-object.js';
import type { Transport } from '../http/transport.js';
import { queryText, type CursorQuery, type Filters, type OffsetQuery, type WalkQuery } from './list-query.js';

/** A page of a collection whose name the types do not know: its rows stand in the member of that name. */
export interface UnnamedPage<T> {
  readonly [member: string]: readonly T[] | number | string | undefined;
  readonly next_cursor?: string;
}

/** The list operations of a collection. SPEC §4 */
export interface Lists<Name extends string, T, F = Filters> {
  /** One page in offset style; rows that come and go meanwhile may be skipped or doubled. */
  page(
    query?: OffsetQuery<F>,
    options?: CallOptions,
  ): ApiCall<string extends Name ? UnnamedPage<T> : OffsetPage<Name, T>>;
  /** One page in cursor style, where `limit`, `cursor` or a range is given. */
  page(
    query: CursorQuery<F>,
    options?: CallOptions,
  ): ApiCall<string extends Name ? UnnamedPage<T> : CursorPage<Name, T>>;
  /**
   * Every row that matched when the walk began, once, in order, with its values of that moment. Fetches a page (of `limit`
   * rows, else of as many as the list has at most: 100, of orders 20) when it is needed. It never starts again by itself.
   * @throws {ExpiredCursorError} while it runs: it took too long.
   */
  walk(query?: WalkQuery<F>, options?: CallOptions): AsyncGenerator<T, void, undefined>;
}

/** @param name of the list member of its pages. @param also what they have as well. */
export function lists<Name extends string, T, F = Filters>(
  transport: Transport,
  path: string,
  name: Name,
  also: string = name,
): Lists<Name, T, F> {
  const page = (query?: Filters, options?: CallOptions): ApiCall<JsonObject> =>
    apiCall(
      async () => transport({ ...options, method: 'GET', path: path + queryText(query) }),
      (body) => {
        if (Array.isArray(body[name]) && body[also]) return body;
        throw unexpected(200, `No list "${name}" in the response.`);
      },
    );

  async function* walk(query?: Filters, options?: CallOptions): AsyncGenerator<T, void, undefined> {
    let next: Filters | undefined = { limit: 100, ...query };
    while (next !== undefined) {
      const { [name]: rows, next_cursor: cursor } = await page(next, options);
      yield* rows as readonly T[];
      if (cursor !== undefined && cursor === next['cursor']) {
        throw unexpected(200, 'The list does not advance.');
      }
      next = typeof cursor === 'string' ? { ...next, cursor } : undefined;
    }
  }

  return { page, walk } as unknown as Lists<Name, T, F>;
}
