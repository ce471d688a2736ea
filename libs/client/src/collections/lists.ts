import type { CursorPage, OffsetPage } from '@items/conventions';
import { apiCall, type ApiCall } from '../calls/api-call.js';
import type { CallOptions } from '../client-options.js';
import { type JsonObject, unexpected } from '../errors/error-of-answer.js';
import type { Transport } from '../http/transport.js';
import { queryText, type CursorQuery, type Filters, type OffsetQuery, type WalkQuery } from './list-query.js';

/** A page whose list has a name that the types do not know. */
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
  /** Cursor style is used with `limit`, `cursor` or a range. */
  page(
    query: CursorQuery<F>,
    options?: CallOptions,
  ): ApiCall<string extends Name ? UnnamedPage<T> : CursorPage<Name, T>>;
  /**
   * Iterates over every row that matched when the walk began, once, in order, with the values of that moment. Fetches
   * each page on demand, with `limit` rows or else the maximum of the list (100, for orders 20). It never restarts by
   * itself.
   * @throws {ExpiredCursorError} The iteration takes too long.
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
