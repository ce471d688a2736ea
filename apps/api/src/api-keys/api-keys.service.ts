import type { ApiKey, CreatedApiKey, Scope } from '@items/contracts';
import type { CreateApiKeyDto, ReplaceApiKeyDto } from '@items/dtos';
import { NotOwnerError } from '@items/errors';
import type { ListRequest } from '@items/paging';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';

import { Accounts } from '../accounts/accounts.js';
import { ApiKeyAuthenticator } from '../auth/api-key/api-key-authenticator.js';
import { KeyOrigins } from '../auth/api-key/key-origins.js';
import { hashSecret, makeSecret } from '../auth/api-key/secret.js';
import { requireHeld, requireQuota } from '../auth/escalation.js';
import type { Principal } from '../auth/principal.js';
import type { ListAnswer } from '../collections/collection-reader.js';
import type { CollectionService, Precondition, Tagged } from '../collections/collection-service.js';
import { collectionToken } from '../collections/collections.module.js';
import { EVERYWHERE } from '../collections/within.js';
import { CONFIG, type Config } from '../config/config.js';
import { Database, type Transaction } from '../database/database.js';
import { isRowId } from '../database/row-id.js';
import type { IdempotentCreation, RepeatableRequest } from '../idempotency/idempotency.js';
import { Audit, type AuditSource } from '../logging/audit.js';
import { acceptScopes, acceptSettings, apiKeyCollection } from './api-key.collection.js';
import type { ApiKeyEntity } from './api-key.entity.js';
import { addSecret, newSecret, removeSecrets, replaceSecret, shownSecrets } from './api-key-secrets.js';
import { requireNarrow } from './client-side-key.js';

const PATH = '/api-keys';
const UNCONDITIONALLY: Precondition = () => undefined;

type Created = IdempotentCreation<CreatedApiKey>;

/** The collection of API keys: what it does beyond other collections. SPEC §5 */
@Injectable()
export class ApiKeysService implements OnModuleInit {
  constructor(
    @Inject(collectionToken('api_keys')) readonly keys: CollectionService<ApiKeyEntity, ApiKey, CreateApiKeyDto>,
    private readonly database: Database,
    private readonly authenticator: ApiKeyAuthenticator,
    private readonly origins: KeyOrigins,
    private readonly accounts: Accounts,
    private readonly audit: Audit,
    @Inject(CONFIG) private readonly config: Pick<Config, 'rateLimit'>,
  ) {}

  onModuleInit(): void {
    this.accounts.onDeletion((tx, userId) => this.removeAllOf(tx, userId));
  }

  /**
   * All keys for an administrator, else the caller's own.
   * @throws {NotOwnerError} 403: a credential that belongs to nobody owns no key.
   */
  async list({ isAdmin, userId }: Principal, request: ListRequest, path: string): Promise<ListAnswer<ApiKey>> {
    if (isAdmin) return this.keys.list(request, path, EVERYWHERE);
    if (userId === null) throw new NotOwnerError();
    return this.keys.list(request, path, { user_id: userId });
  }

  /** The user whose key it is; null for nobody's, undefined where there is no such key. */
  async ownerOf(id: string): Promise<string | null | undefined> {
    if (!isRowId(id)) return undefined;
    const [key] = await this.database.query<{ user_id: string | null }>('SELECT user_id FROM api_keys WHERE id = $1', [
      id,
    ]);
    return key?.user_id;
  }

  /**
   * Makes a key, which belongs to the user who asks; its secret stands in the answer, and nowhere else.
   * @throws {ScopeEscalationError} 403 @throws {QuotaEscalationError} 403
   * @throws {ValidationError} 422: too much for a key in client-side code.
   * @throws {ConflictError} 409: a repetition, for whose answer the secret would have to be stored.
   */
  async create(
    creator: Principal,
    input: CreateApiKeyDto,
    repeatable: RepeatableRequest | undefined,
    source: AuditSource,
  ): Promise<Created> {
    requireHeld(creator, input.scopes);
    requireQuota(creator, input.rate_limit, this.config.rateLimit);
    requireNarrow(input.allowed_origins, input.scopes);
    const made = await this.withSecret(repeatable, async (tx, hash) => {
      const secret = newSecret();
      const owned = { user_id: creator.userId, secrets: JSON.stringify([secret]) };
      const made = await this.keys.insert(tx, { ...apiKeyCollection.accept(input), ...owned });
      await addSecret(tx, hash, made.resource.id, secret);
      return made;
    });
    this.changed('key_created', source, made.resource.id, { scopes: input.scopes });
    return made;
  }

  /**
   * Gives a key a new secret; the former one works on for a while. authentication.md "API keys"
   * @throws {ScopeEscalationError} 403: the key may do what the caller may not.
   * @throws {ResourceNotFoundError} 404 @throws {ConflictError} 409 as {@link create}
   */
  async rotate(
    caller: Principal,
    id: string,
    graceSeconds: number,
    repeatable: RepeatableRequest | undefined,
    source: AuditSource,
  ): Promise<Created> {
    const made = await this.withSecret(repeatable, async (tx, hash) => {
      // First of all the key itself is locked: of two rotations at once, one waits.
      const { resource } = await this.keys.update(tx, id, {}, UNCONDITIONALLY);
      requireHeld(caller, resource.scopes);
      await replaceSecret(tx, hash, id, graceSeconds);
      return this.keys.update(tx, id, { secrets: await shownSecrets(tx, id) }, UNCONDITIONALLY);
    });
    this.changed('key_rotated', source, id, { grace_seconds: graceSeconds });
    return made;
  }

  /**
   * @throws {ScopeEscalationError} 403: judged before it is known whether there is such a key, as is the next.
   * @throws {QuotaEscalationError} 403
   * @throws {ResourceNotFoundError} 404 @throws {PreconditionFailedError} 412
   * @throws {ValidationError} 422: too much for a key in client-side code.
   */
  async replace(
    caller: Principal,
    id: string,
    { scopes, ...settings }: ReplaceApiKeyDto,
    precondition: Precondition,
    source: AuditSource,
  ): Promise<Tagged<ApiKey>> {
    if (scopes !== undefined) requireHeld(caller, scopes);
    requireQuota(caller, settings.rate_limit, this.config.rateLimit);
    const changes = { ...acceptSettings(settings), ...(scopes !== undefined && acceptScopes(scopes)) };
    const replaced = await this.database.transaction(async (tx) => {
      const result = await this.keys.update(tx, id, changes, precondition);
      requireNarrow(result.resource.allowed_origins, result.resource.scopes);
      return result;
    });
    this.changed('key_replaced', source, id, { scopes });
    return replaced;
  }

  /** From here on the key is dead: at once in this process, within seconds in others. @throws as {@link replace} */
  async remove(id: string, precondition: Precondition, source: AuditSource): Promise<void> {
    await this.database.transaction((tx) => this.removeWith(tx, id, precondition));
    this.changed('key_revoked', source, id);
  }

  private withSecret(
    repeatable: RepeatableRequest | undefined,
    work: (tx: Transaction, hash: string) => Promise<Tagged<ApiKey>>,
  ): Promise<Created> {
    return this.keys.createWith(PATH, repeatable, 'secret', async (tx) => {
      const key = makeSecret();
      const { resource, etag } = await work(tx, hashSecret(key));
      return { resource: { ...resource, key }, etag };
    });
  }

  private async removeAllOf(tx: Transaction, userId: string): Promise<void> {
    const keys = await tx.query<{ id: string }>('SELECT id FROM api_keys WHERE user_id = $1', [userId]);
    for (const { id } of keys) await this.removeWith(tx, id, UNCONDITIONALLY);
  }

  private async removeWith(tx: Transaction, id: string, precondition: Precondition): Promise<void> {
    await this.keys.delete(tx, id, precondition);
    await removeSecrets(tx, id);
  }

  private changed(
    event: string,
    source: AuditSource,
    id: string,
    details: { readonly scopes?: readonly Scope[] | undefined; readonly grace_seconds?: number } = {},
  ): void {
    this.authenticator.forget();
    this.origins.forget();
    this.audit.record(event, source, id, details);
  }
}
