import type {
  ApiKey,
  ApiKeyInput,
  Client,
  ClientInput,
  CreatedApiKey,
  CreatedClient,
  RotationInput,
} from '@items/dtos/contract';

import type { ApiCall } from '../calls/api-call.js';
import type { CreateOptions } from '../client-options.js';
import { collection, create, type Collection } from './collection.js';
import type { Reach } from './reach.js';
import { pathPart, type Beginning, type Between, type Filters } from './list-query.js';

/** Only the responses to creation and rotation contain the secret. SPEC §5.3 */
export interface SecretCollection<Name extends string, T, Input, Created, F = Filters> extends Collection<
  Name,
  T,
  Input,
  F,
  Created
> {
  /**
   * Creates a new secret. The previous one stays valid for a while.
   * @throws {ConflictError} `secret_not_replayable`: it was rotated, but the response was lost. Rotate again.
   */
  rotate(id: string, input?: RotationInput, options?: CreateOptions): ApiCall<Created>;
}

export type ApiKeyFilters = Between<'created_at' | 'last_used_at', string>;
export type ClientFilters = Beginning<'name'> & Between<'created_at' | 'updated_at', string>;

/** `/api-keys`. SPEC §5 */
export type ApiKeys = SecretCollection<'api_keys', ApiKey, ApiKeyInput, CreatedApiKey, ApiKeyFilters>;
/** `/clients`: applications that ask users for their consent. SPEC §5 */
export type Clients = SecretCollection<'clients', Client, ClientInput, CreatedClient, ClientFilters>;

export function secretCollection<Name extends string, T extends object, Input, Created extends object, F>(
  reach: Reach,
  path: string,
): SecretCollection<Name, T, Input, Created, F> {
  return {
    ...collection<Name, T, Input, F, Created>(reach, path),
    rotate: (id, input = {}, options) => create(reach.transport, `${path}/${pathPart(id)}/rotations`, input, options),
  };
}
