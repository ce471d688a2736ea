import type { CursorPage, OffsetPage } from '@items/conventions';
import { apiCall, type ApiCall } from '../calls/api-call.js';
import type { CallOptions } from '../client-options.js';
import { type JsonObject, unexpected } from '../errors/error-of-answer.js';
import type { Transport } from '../http/transport.js';
import { queryText, type CursorQuery, type Filters, type OffsetQuery, type WalkQuery } from './list-query.js';

/** A page of a collection whose list name is unknown at compile time. */
export interface UnnamedPage<T> {
  readonly [member: string]: readonly T[] | number | string | undefined;
  readonly next_cursor?: string;
}

export interface Lists<Name extends string, T, F = Filters> {
  /** One page in offset style. Concurrent inserts and deletions may cause skipped or duplicate rows. */
  page(
    query?: OffsetQuery<F>,
    options?: CallOptions,
  ): ApiCall<string extends Name ? UnnamedPage<T> : OffsetPage<Name, T>>;
  /** One page in cursor style, selected by `limit`, `cursor` or a range. */
  page(
    query: CursorQuery<F>,
    options?: CallOptions,
  ): ApiCall<string extends Name ? UnnamedPage<T> : CursorPage<Name, T>>;
  /**
   * Iterates once, in order, over every row that matched at the start and still exists, with the values of that moment.
   * Fetches pages on demand, of `limit` rows or else the maximum of the list (100, for orders 20). Never restarts.
   * @throws {ExpiredCursorError} The iteration took too long.
   */
  walk(query?: WalkQuery<F>, options?: CallOptions): AsyncGenerator<T, void, undefined>;
}

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
