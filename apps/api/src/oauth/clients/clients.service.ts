import type { ListAnswer, Precondition, Tagged } from '@items/collections';
import type { Eventual } from '@items/conventions';
import type { Client, CreatedClient, GrantType } from '@items/contracts';
import type { CreateClientDto, ReplaceClientDto, RotationDto } from '@items/dtos';
import { Audit, type AuditSource } from '@items/logging/nest';
import { InjectCollection, type CollectionOf } from '@items/nest';
import type { ListRequest } from '@items/paging';
import type { IdempotentCreation, RepeatableRequest } from '@items/store';
import { Injectable } from '@nestjs/common';

import { requireHeld } from '../../auth/escalation.js';
import type { Principal } from '../../principal/principal.js';
import { WebhookRemovalsService } from '../../webhooks/webhook-removals.service.js';
import { Authorizations } from '../authorizations/authorizations.js';
import { randomToken } from '../tokens/hashed.js';
import { clientCollection } from './client.collection.js';
import { ClientRegistry } from './client-registry.js';
import { addClientSecret, clientSecret, removeClientSecrets, rotateClientSecret } from './client-secrets.js';
import { requireUsable } from './redirect-uris.js';

const PATH = '/clients';
const DEFAULT_GRANT_TYPES: readonly GrantType[] = ['authorization_code', 'refresh_token'];

/** The collection of OAuth clients: what its writes do beyond those of other collections. SPEC §5 OAuth 2.0 */
@Injectable()
export class ClientsService {
  constructor(
    @InjectCollection(clientCollection) private readonly clients: CollectionOf<typeof clientCollection>,
    private readonly registry: ClientRegistry,
    private readonly authorizations: Authorizations,
    private readonly webhooks: WebhookRemovalsService,
    private readonly audit: Audit,
  ) {}

  list(request: ListRequest, path: string): Eventual<ListAnswer<Client>> {
    return this.clients.list(request, path);
  }

  /** @throws {ResourceNotFoundError} 404 */
  get(id: string): Eventual<Tagged<Client>> {
    return this.clients.get(id);
  }

  /**
   * Registers a client; its secret stands in the answer, and nowhere else.
   * @throws {ScopeEscalationError} 403 @throws {ValidationError} 422
   * @throws {ConflictError} 409: a repetition, for whose answer the secret would have to be stored.
   */
  async create(
    caller: Principal,
    input: CreateClientDto,
    repeatable: RepeatableRequest | undefined,
    source: AuditSource,
  ): Promise<IdempotentCreation<CreatedClient>> {
    requireHeld(caller, input.scopes);
    const { redirect_uris, grant_types = DEFAULT_GRANT_TYPES } = input;
    requireUsable({ redirect_uris, grant_types }, redirect_uris);
    const created = await this.clients.transaction(
      async (tx) => {
        const { resource, etag } = await this.clients.insert(tx, input, { grant_types });
        const secret = clientSecret(randomToken());
        await addClientSecret(tx, resource.id, secret);
        return { resource: { ...resource, client_secret: secret }, etag };
      },
      { path: PATH, repeatable, replay: 'secret' },
    );
    this.audit.record('client_created', source, created.resource.id, { scopes: input.scopes });
    return created;
  }

  /**
   * A replacement that keeps the scopes is judged like one that sends them. SPEC §2.4
   * @throws {ScopeEscalationError} 403: of scopes that are sent, judged before it is known whether there is such a client.
   * @throws {ValidationError} 422 @throws {ResourceNotFoundError} 404 @throws {PreconditionFailedError} 412
   */
  async replace(
    caller: Principal,
    id: string,
    input: ReplaceClientDto,
    precondition: Precondition,
    source: AuditSource,
  ): Promise<Tagged<Client>> {
    const { redirect_uris, scopes, grant_types } = input;
    if (scopes !== undefined) requireHeld(caller, scopes);
    const replaced = await this.clients.transaction((tx) =>
      this.clients.lockAndUpdate(tx, id, (before, etag) => {
        requireHeld(caller, scopes ?? before.scopes);
        const kept = {
          redirect_uris: redirect_uris ?? before.redirect_uris,
          grant_types: grant_types ?? before.grant_types,
        };
        requireUsable(kept, redirect_uris);
        precondition(etag);
        return input;
      }),
    );
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
    { grace_seconds: graceSeconds }: RotationDto,
    repeatable: RepeatableRequest | undefined,
    source: AuditSource,
  ): Promise<IdempotentCreation<CreatedClient>> {
    const rotated = await this.clients.transaction(
      async (tx) => {
        const { resource, etag } = await this.clients.update(tx, id, {}, () => undefined);
        requireHeld(caller, resource.scopes);
        const secret = clientSecret(randomToken());
        await rotateClientSecret(tx, id, secret, Date.now() + graceSeconds * 1000);
        return { resource: { ...resource, client_secret: secret }, etag };
      },
      { path: PATH, repeatable, replay: 'secret' },
    );
    this.registry.forget();
    this.audit.record('client_rotated', source, id, { grace_seconds: graceSeconds });
    return rotated;
  }

  /** From here on the client is unknown, and all that it got is dead. @throws as {@link replace} */
  async remove(id: string, precondition: Precondition, source: AuditSource): Promise<void> {
    const ended = await this.clients.transaction(async (tx) => {
      await this.clients.delete(tx, id, precondition);
      await removeClientSecrets(tx, id);
      await this.authorizations.endWithin(tx, 'client_id', id);
      await tx.query('DELETE FROM oauth_artifacts WHERE client_id = $1', [id]);
      return this.webhooks.onCredentialDeletion(tx, 'client', id);
    });
    this.registry.forget();
    this.authorizations.ended();
    this.audit.record('client_deleted', source, id);
    this.audit.recordEnded(source, ended, { client: id });
  }
}
