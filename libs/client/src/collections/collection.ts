import { apiCall, type ApiCall, emptyCall } from '../calls/api-call.js';
import type { CallOptions, ConditionalOptions, CreateOptions } from '../client-options.js';
import { isStatus, NotFoundError } from '../errors/items-api-error.js';
import { IDEMPOTENCY_KEY } from '../header-names.js';
import type { Answer } from '../http/outgoing-request.js';
import { randomKey } from '../http/random-key.js';
import type { Transport } from '../http/transport.js';
import { lists, type Lists } from './lists.js';
import { type Filters, pathPart } from './list-query.js';
import { holds } from './comparison.js';
import { describeSource, type Reach } from './reach.js';
import { updated } from './update.js';

export interface Collection<Name extends string, T, Input, F = Filters, Created = T> extends Lists<Name, T, F> {
  /** An `Idempotency-Key` ensures that retries create no second resource. */
  create(input: Input, options?: CreateOptions): ApiCall<Created>;
  /** @throws {NotFoundError} */
  get(id: string, options?: CallOptions): ApiCall<T>;
  /**
   * Replaces all fields. An omitted optional field becomes null.
   * @throws {PreconditionFailedError} The `ETag` is no longer `ifMatch`.
   * @throws {TypeError} `ifMatch` is present but undefined; nothing is sent.
   */
  replace(id: string, input: Input, options?: ConditionalOptions): ApiCall<T>;
  /**
   * Reads the resource, changes it, and replaces it unless another client has changed it since. After a conflict, pauses
   * and starts again, up to 30 times. If a response is lost, reads the resource to see if the change was made, but cannot
   * distinguish it from an equal change of another client.
   * @param change Returns the new state. Called again after each conflict, with the current state.
   * @throws {ItemsNetworkError} A response was lost, and other clients have changed the same fields since.
   * @throws {PreconditionFailedError} After 30 conflicts.
   */
  update(id: string, change: (current: T) => Input | Promise<Input>, options?: CallOptions): ApiCall<T>;
  /**
   * @throws {NotFoundError} The first attempt gets 404. After a repeated DELETE, 404 is a success.
   * @throws {PreconditionFailedError} The `ETag` is no longer `ifMatch`.
   * @throws {TypeError} `ifMatch` is present but undefined.
   */
  delete(id: string, options?: ConditionalOptions): ApiCall<void>;
}

/**
 * @param path The last part gives the name of the list in pages: `api-keys` → `api_keys`.
 * @param events First part of the event types, such as `item` of `item.created`.
 */
export function collection<Name extends string, T extends object, Input, F = Filters, Created extends object = T>(
  reach: Reach,
  path: string,
  events?: string,
): Collection<Name, T, Input, F, Created> {
  const { transport } = reach;
  const pathOf = (id: string): string => `${path}/${pathPart(id)}`;
  const read = (id: string, options?: CallOptions): Promise<Answer> =>
    transport({ ...options, method: 'GET', path: pathOf(id) });

  const operations: Collection<Name, T, Input, F, Created> = {
    ...lists<Name, T, F>(transport, path, listName(path) as Name),
    get: (id, options) => apiCall(async () => read(id, options)),
    create: (input, options) => create<Created>(transport, path, input, options),
    replace: (id, input, conditional = {}) =>
      apiCall(async () => {
        const { ifMatch, ...options } = conditional;
        const headers = conditionOf(conditional);
        /** After a 412: an earlier attempt may have made the change, and so changed the `ETag`. */
        const settle = async (error: unknown): Promise<Answer> => {
          if (ifMatch === undefined || !isStatus(error, 412)) throw error;
          const answer = await read(id, options);
          if (!holds(answer.body, input as object)) throw error;
          return answer;
        };
        return transport({ ...options, method: 'PUT', path: pathOf(id), input, headers, settle });
      }),
    update: (id, change, options) =>
      apiCall(async () =>
        updated<T, Input>(reach, {
          read: () => read(id, options),
          change,
          write: async (input, etag) => {
            const headers = { 'if-match': etag };
            return transport({ ...options, method: 'PUT', path: pathOf(id), input, headers, repeat: 'never' });
          },
          signal: options?.signal,
        }),
      ),
    delete: (id, options = {}) =>
      emptyCall(async () => {
        const call = { method: 'DELETE', path: pathOf(id), isEmpty: true, settle: goneAlready } as const;
        return transport({ ...options, ...call, headers: conditionOf(options) });
      }),
  };
  return describeSource(operations, { reach, path, events });
}

/** The `Idempotency-Key` makes the POST safe to repeat. SPEC §4.4 */
export function create<T extends object>(
  transport: Transport,
  path: string,
  input: unknown,
  { idempotencyKey = randomKey(), ...options }: CreateOptions = {},
): ApiCall<T> {
  const headers = { [IDEMPOTENCY_KEY]: idempotencyKey };
  return apiCall(async () => transport({ ...options, method: 'POST', path, input, headers }));
}

export function listName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replaceAll('-', '_');
}

/** Called only after a repeated DELETE: a 404 means that an earlier attempt has deleted the resource. */
async function goneAlready(error: unknown): Promise<Answer> {
  if (error instanceof NotFoundError && error.code !== 'unexpected_response') {
    return { status: 204, headers: new Headers(), text: '', body: {} };
  }
  throw error;
}

/**
 * Returns no headers if `ifMatch` is absent.
 * @throws {TypeError} `ifMatch` is present but undefined: without the header, the write could overwrite changes of
 * other clients.
 */
function conditionOf(options: ConditionalOptions): Readonly<Record<string, string>> {
  if (!('ifMatch' in options)) return {};
  if (options.ifMatch) return { 'if-match': options.ifMatch };
  throw new TypeError('ifMatch has no ETag: omit it to write unconditionally.');
}
