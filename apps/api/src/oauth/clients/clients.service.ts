import type { Client, CreatedClient } from '@items/contracts';
import type { CreateClientDto, ReplaceClientDto } from '@items/dtos';
import { ValidationError } from '@items/errors';
import { Inject, Injectable } from '@nestjs/common';

import { requireHeld } from '../../auth/escalation.js';
import type { Principal } from '../../auth/principal.js';
import type { Precondition, Tagged } from '../../collections/collection-service.js';
import { collectionToken } from '../../collections/collections.module.js';
import { Database } from '../../database/database.js';
import type { IdempotentCreation, RepeatableRequest } from '../../idempotency/idempotency.js';
import { Audit, type AuditSource } from '../../logging/audit.js';
import { Authorizations } from '../tokens/authorizations.js';
import { randomToken } from '../tokens/hashed.js';
import { acceptRegistration, type ClientsCollection } from './client.collection.js';
import { ClientRegistry } from './client-registry.js';
import { addClientSecret, clientSecret, removeClientSecrets, rotateClientSecret } from './client-secrets.js';

const DEFAULT_GRANT_TYPES = ['authorization_code', 'refresh_token'] as const;

/** The writes of the collection of OAuth clients. SPEC §5 OAuth 2.0 */
@Injectable()
export class ClientsService {
  constructor(
    @Inject(collectionToken('clients')) readonly clients: ClientsCollection,
    private readonly database: Database,
    private readonly registry: ClientRegistry,
    private readonly authorizations: Authorizations,
    private readonly audit: Audit,
  ) {}

  /**
   * Registers a client; its secret stands in the answer, and nowhere else.
   * @throws {ScopeEscalationError} 403 @throws {ValidationError} 422
   * @throws {ConflictError} 409: a repetition, for whose answer the secret would have to be stored.
   */
  async create(
    caller: Principal,
    input: CreateClientDto,
    path: string,
    repeatable: RepeatableRequest | undefined,
    source: AuditSource,
  ): Promise<IdempotentCreation<CreatedClient>> {
    requireHeld(caller, input.scopes);
    const { name, redirect_uris, scopes, grant_types = DEFAULT_GRANT_TYPES } = input;
    const registration = { name, redirect_uris, scopes, grant_types };
    requireUsable(registration);
    const created = await this.clients.createWith(path, repeatable, 'secret', async (tx) => {
      const { resource, etag } = await this.clients.insert(tx, acceptRegistration(registration));
      const secret = clientSecret(randomToken());
      await addClientSecret(tx, resource.id, secret);
      return { resource: { ...resource, client_secret: secret }, etag };
    });
    this.audit.record('client_created', source, created.resource.id, { scopes: input.scopes });
    return created;
  }

  /**
   * @throws {ScopeEscalationError} 403: judged before it is known whether there is such a client.
   * @throws {ValidationError} 422 @throws {ResourceNotFoundError} 404 @throws {PreconditionFailedError} 412
   */
  async replace(
    caller: Principal,
    id: string,
    input: ReplaceClientDto,
    precondition: Precondition,
    source: AuditSource,
  ): Promise<Tagged<Client>> {
    if (input.scopes !== undefined) requireHeld(caller, input.scopes);
    const { name, redirect_uris, scopes, grant_types } = input;
    const changes = {
      name,
      redirect_uris,
      ...(scopes !== undefined && { scopes }),
      ...(grant_types !== undefined && { grant_types }),
    };
    const replaced = await this.database.transaction(async (tx) => {
      const after = await this.clients.update(tx, id, acceptRegistration(changes), precondition);
      requireUsable(after.resource);
      return after;
    });
    this.registry.forget();
    this.audit.record('client_changed', source, id);
    return replaced;
  }

  /**
   * Gives a client another secret. The old one works until the grace ends; one that was in its grace ends now.
   * @throws {ScopeEscalationError} 403: the client may do what the caller may not. @throws {ResourceNotFoundError} 404
   */
  async rotate(
    caller: Principal,
    id: string,
    graceSeconds: number,
    path: string,
    repeatable: RepeatableRequest | undefined,
    source: AuditSource,
  ): Promise<IdempotentCreation<CreatedClient>> {
    const rotated = await this.clients.createWith(path, repeatable, 'secret', async (tx) => {
      const { resource, etag } = await this.clients.update(tx, id, {}, () => undefined);
      requireHeld(caller, resource.scopes);
      const secret = clientSecret(randomToken());
      await rotateClientSecret(tx, id, secret, Date.now() + graceSeconds * 1000);
      return { resource: { ...resource, client_secret: secret }, etag };
    });
    this.registry.forget();
    this.audit.record('client_rotated', source, id, { grace_seconds: graceSeconds });
    return rotated;
  }

  /** From here on the client is unknown, and all that it got is dead. @throws as {@link replace} */
  async remove(id: string, precondition: Precondition, source: AuditSource): Promise<void> {
    await this.database.transaction(async (tx) => {
      await this.clients.delete(tx, id, precondition);
      await removeClientSecrets(tx, id);
      await this.authorizations.endWithin(tx, 'client_id', id);
      await tx.query('DELETE FROM oauth_artifacts WHERE client_id = $1', [id]);
    });
    this.registry.forget();
    this.authorizations.ended();
    this.audit.record('client_deleted', source, id);
  }
}

/** @throws {ValidationError} 422: a client that takes codes must say where. */
function requireUsable({
  grant_types: types,
  redirect_uris: uris,
}: Pick<Client, 'grant_types' | 'redirect_uris'>): void {
  if (!types.includes('authorization_code') || uris.length > 0) return;
  const message = '"redirect_uris" must have at least 1 for the grant type "authorization_code".';
  throw new ValidationError([{ field: 'redirect_uris', code: 'too_few', message }]);
}
