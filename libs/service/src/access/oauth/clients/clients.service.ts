import { ALL_PARENTS } from '../../../data/definition/parent-keys.js';
import type { Precondition } from '../../../data/collections/write-options.js';
import { ROTATED } from '../../../data/definition/change-recorder.js';
import type { Tagged } from '../../../data/collections/tagged.js';
import type { Client, CreatedClient, GrantType } from '@items/dtos/contract';
import { clientSecret, clientSecrets } from '../../credentials/clients/client-secrets.js';
import {
  isPublic,
  requireSameMethod,
  requireSecret,
  requireValidClient,
} from '../../credentials/clients/client-rules.js';
import { withSecret } from '../../credentials/secrets/rotating-secrets.js';
import { hashSecret, randomToken } from '../../credentials/secrets/secret.js';
import type { CreateClientDto, ReplaceClientDto, RotationDto } from '@items/dtos';
import { type CollectionOf, InjectCollection } from '../../../http/nest/collection-token.js';
import type { Transaction } from '../../../data/database/database.js';
import type { IdempotentCreation, RepeatableRequest } from '../../../data/idempotency/idempotency.js';
import { Injectable } from '@nestjs/common';
import { ApiKeyRemovalsService } from '../../api-keys/api-key-removals.service.js';
import { PageOrigins } from '../../auth/api-key/page-origins.js';
import { requireHeld } from '../../principal/rights.js';
import type { ChangeSource } from '../../principal/request-principal.js';
import type { Principal } from '../../principal/principal.js';
import { CredentialListener } from '../../accounts/listeners.js';
import { Authorizations } from '../authorizations/authorizations.js';
import { clientCollection } from './client.collection.js';
import { ClientRegistry } from './client-registry.js';

const PATH = '/clients';
const DEFAULT_GRANT_TYPES: readonly GrantType[] = ['authorization_code', 'refresh_token'];

@Injectable()
export class ClientsService {
  constructor(
    @InjectCollection(clientCollection) readonly rows: CollectionOf<typeof clientCollection>,
    private readonly registry: ClientRegistry,
    private readonly origins: PageOrigins,
    private readonly authorizations: Authorizations,
    private readonly listener: CredentialListener,
    private readonly keys: ApiKeyRemovalsService,
  ) {}

  async create(
    caller: Principal,
    input: CreateClientDto,
    repeatable: RepeatableRequest | undefined,
    source: ChangeSource,
  ): Promise<IdempotentCreation<CreatedClient>> {
    requireHeld(caller, input.scopes);
    const { redirect_uris, grant_types = DEFAULT_GRANT_TYPES } = input;
    const { token_endpoint_auth_method = 'client_secret_basic' } = input;
    requireValidClient({ redirect_uris, grant_types, token_endpoint_auth_method }, redirect_uris);
    const created = await withSecret(this.rows, { path: PATH, repeatable, origin: source }, async (tx) => {
      const issuer = caller.issuer ?? null;
      const made = await this.rows.insert(tx, input, { grant_types, token_endpoint_auth_method, issuer });
      if (isPublic(made.resource)) return [made, {}];
      const secret = clientSecret(randomToken());
      await clientSecrets.add(tx, made.resource.id, hashSecret(secret));
      return [made, { client_secret: secret }];
    });
    this.origins.forget();
    return created;
  }

  /**
   * Checks the stored scopes if `scopes` is omitted. SPEC §2.4
   * @throws {ScopeEscalationError} 403, even before 404: the caller lacks a scope of `input`.
   */
  async replace(
    caller: Principal,
    id: string,
    input: ReplaceClientDto,
    precondition: Precondition,
    source: ChangeSource,
  ): Promise<Tagged<Client>> {
    const { redirect_uris, scopes, grant_types, token_endpoint_auth_method: method } = input;
    if (scopes !== undefined) requireHeld(caller, scopes);
    const replaced = await this.rows.transaction(
      (tx) =>
        this.rows.lockAndUpdate(tx, id, (before, etag) => {
          requireHeld(caller, scopes ?? before.scopes);
          requireSameMethod(before, method);
          const after = {
            ...before,
            redirect_uris: redirect_uris ?? before.redirect_uris,
            grant_types: grant_types ?? before.grant_types,
          };
          requireValidClient(after, redirect_uris);
          precondition?.(etag);
          return input;
        }),
      { origin: source },
    );
    this.registry.forget();
    this.origins.forget();
    this.keys.clearCaches();
    return replaced;
  }

  /** @throws {ScopeEscalationError} 403: the client has scopes that the caller lacks. */
  async rotate(
    caller: Principal,
    id: string,
    { grace_seconds: graceSeconds }: RotationDto,
    repeatable: RepeatableRequest | undefined,
    source: ChangeSource,
  ): Promise<IdempotentCreation<CreatedClient>> {
    const rotated = await withSecret(this.rows, { path: PATH, repeatable, origin: source }, async (tx) => {
      const client = await this.rows.update(tx, id, {}, () => undefined, ALL_PARENTS, ROTATED);
      requireHeld(caller, client.resource.scopes);
      requireSecret(client.resource);
      const secret = clientSecret(randomToken());
      await clientSecrets.replace(tx, id, hashSecret(secret), graceSeconds);
      return [client, { client_secret: secret }];
    });
    this.registry.forget();
    return rotated;
  }

  /** Also deletes the client's codes, tokens, API keys and webhooks. */
  async remove(id: string, precondition: Precondition, source: ChangeSource): Promise<void> {
    const remove = async (tx: Transaction): Promise<void> => {
      await this.rows.delete(tx, id, precondition);
      await clientSecrets.remove(tx, id);
      await this.authorizations.endAll(tx, 'client_id', id);
      await this.listener.onCredentialDeletion(tx, 'client', id);
      await this.keys.onClientDeletion(tx, id);
    };
    await this.rows.transaction(remove, { origin: source });
    this.registry.forget();
    this.origins.forget();
    this.authorizations.clearCaches();
    this.keys.clearCaches();
  }
}
