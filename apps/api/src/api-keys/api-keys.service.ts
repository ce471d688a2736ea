import { NO_PARENT, type ListAnswer, type Precondition, type Tagged } from '@items/collections';
import type { Eventual } from '@items/conventions';
import type { ApiKey, CreatedApiKey, Scope } from '@items/contracts';
import type { CreateApiKeyDto, ReplaceApiKeyDto, RotationDto } from '@items/dtos';
import type { RateLimit } from '@items/conventions';
import { DelegatedCredentialError, NotOwnerError } from '@items/errors';
import { Audit, type AuditSource, type Ended } from '@items/logging/nest';
import { InjectCollection, type CollectionOf } from '@items/nest';
import type { ListRequest } from '@items/paging';
import { Database, type IdempotentCreation, isRowId, type RepeatableRequest, type Transaction } from '@items/store';
import { Inject, Injectable } from '@nestjs/common';

import type { AccountListener } from '../accounts/account-listener.js';
import { ApiKeyAuthenticator } from '../auth/api-key/api-key-authenticator.js';
import { KeyOrigins } from '../auth/api-key/key-origins.js';
import { hashSecret, makeSecret } from '../auth/api-key/secret.js';
import { requireHeld, requireQuota } from '../auth/escalation.js';
import type { Principal } from '../principal/principal.js';
import { CONFIG, type Config } from '../config/config.js';
import { WebhookRemovalsService } from '../webhooks/webhook-removals.service.js';
import { apiKeyCollection } from './api-key.collection.js';
import { addSecret, newSecret, removeSecrets, replaceSecret, shownSecrets } from './api-key-secrets.js';
import { requireNarrow } from './client-side-key.js';

const PATH = '/api-keys';
const UNCONDITIONALLY: Precondition = () => undefined;

type Created = IdempotentCreation<CreatedApiKey>;

/** The collection of API keys: what it does beyond other collections. SPEC §5 */
@Injectable()
export class ApiKeysService implements AccountListener {
  constructor(
    @InjectCollection(apiKeyCollection) private readonly keys: CollectionOf<typeof apiKeyCollection>,
    private readonly database: Database,
    private readonly authenticator: ApiKeyAuthenticator,
    private readonly origins: KeyOrigins,
    private readonly webhooks: WebhookRemovalsService,
    private readonly audit: Audit,
    @Inject(CONFIG) private readonly config: Pick<Config, 'rateLimit'>,
  ) {}

  /**
   * All keys for an administrator, else the caller's own.
   * @throws {NotOwnerError} 403: a credential that belongs to no user owns no key.
   */
  async list({ isAdmin, userId }: Principal, request: ListRequest, path: string): Promise<ListAnswer<ApiKey>> {
    if (isAdmin) return this.keys.list(request, path, NO_PARENT);
    if (userId === null) throw new NotOwnerError();
    return this.keys.list(request, path, { user_id: userId });
  }

  /** @throws {ResourceNotFoundError} 404 */
  get(id: string): Eventual<Tagged<ApiKey>> {
    return this.keys.get(id);
  }

  /** The user whose key it is; null for the operator's, undefined where there is no such key. */
  async ownerOf(id: string): Promise<string | null | undefined> {
    if (!isRowId(id)) return undefined;
    const [key] = await this.database.query<{ user_id: string | null }>('SELECT user_id FROM api_keys WHERE id = $1', [
      id,
    ]);
    return key?.user_id;
  }

  /**
   * Makes a key, which belongs to the user who asks; its secret stands in the answer, and nowhere else. What an
   * application makes for its user acts as that application.
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
    const quota = this.quotaFor(creator, input.rate_limit);
    requireNarrow(input.allowed_origins, input.scopes);
    const made = await this.withSecret(repeatable, async (tx, hash) => {
      const secret = newSecret();
      const hidden = {
        user_id: creator.userId,
        client_id: creator.delegatedTo ?? null,
        secrets: JSON.stringify([secret]),
        rate_limit: quota,
      };
      const made = await this.keys.insert(tx, input, hidden);
      await addSecret(tx, hash, made.resource.id, secret);
      return made;
    });
    this.changed('key_created', source, made.resource.id, { scopes: input.scopes });
    return made;
  }

  /**
   * Gives a key a new secret; the former one works on for a while. SPEC §5.3
   * @throws {DelegatedCredentialError} 403: an application asks, and has not made the key: that may do more for the user.
   * @throws {ScopeEscalationError} 403: the key may do what the caller may not. @throws {QuotaEscalationError} 403
   * @throws {ResourceNotFoundError} 404 @throws {ConflictError} 409 as {@link create}
   */
  async rotate(
    caller: Principal,
    id: string,
    { grace_seconds: graceSeconds }: RotationDto,
    repeatable: RepeatableRequest | undefined,
    source: AuditSource,
  ): Promise<Created> {
    const made = await this.withSecret(repeatable, async (tx, hash) => {
      // First of all the key itself is locked: of two rotations at once, one waits.
      const { resource } = await this.keys.lockAndUpdate(tx, id, ({ client_id: madeBy }) => {
        if (caller.delegatedTo !== undefined && caller.delegatedTo !== madeBy) throw new DelegatedCredentialError();
        return {};
      });
      requireHeld(caller, resource.scopes);
      requireQuota(caller, resource.rate_limit, this.config.rateLimit);
      await replaceSecret(tx, hash, id, graceSeconds);
      return this.keys.update(tx, id, { secrets: await shownSecrets(tx, id) }, UNCONDITIONALLY);
    });
    this.changed('key_rotated', source, id, { grace_seconds: graceSeconds });
    return made;
  }

  /**
   * A replacement that keeps the scopes is judged like one that sends them. SPEC §2.4
   * @throws {ScopeEscalationError} 403: of scopes that are sent, judged before it is known whether there is such a key, as
   * is the next. @throws {QuotaEscalationError} 403
   * @throws {ValidationError} 422: too much for a key in client-side code.
   * @throws {ResourceNotFoundError} 404 @throws {PreconditionFailedError} 412
   */
  async replace(
    caller: Principal,
    id: string,
    input: ReplaceApiKeyDto,
    precondition: Precondition,
    source: AuditSource,
  ): Promise<Tagged<ApiKey>> {
    const { scopes, rate_limit: rateLimit } = input;
    if (scopes !== undefined) requireHeld(caller, scopes);
    if (rateLimit !== undefined) requireQuota(caller, rateLimit, this.config.rateLimit);
    const replaced = await this.keys.transaction((tx) =>
      this.keys.lockAndUpdate(tx, id, (before, etag) => {
        const { scopes: keptOrSent = before.scopes, allowed_origins: origins = before.allowed_origins } = input;
        requireHeld(caller, keptOrSent);
        requireNarrow(origins, keptOrSent);
        precondition(etag);
        return input;
      }),
    );
    this.changed('key_replaced', source, id, { scopes });
    return replaced;
  }

  /** From here on the key is dead: at once in this process, within seconds in others. @throws as {@link replace} */
  async remove(id: string, precondition: Precondition, source: AuditSource): Promise<void> {
    const ended = await this.keys.transaction((tx) => this.removeWith(tx, id, precondition));
    this.changed('key_revoked', source, id);
    this.audit.recordEnded(source, ended, { key: id });
  }

  /** A user's keys end with the user. */
  async onDeletion(tx: Transaction, userId: string): Promise<readonly Ended[]> {
    const keys = await tx.query<{ id: string }>('SELECT id FROM api_keys WHERE user_id = $1', [userId]);
    const ended: Ended[] = [];
    for (const { id } of keys) {
      ended.push({ event: 'key_revoked', id }, ...(await this.removeWith(tx, id, UNCONDITIONALLY)));
    }
    return ended;
  }

  /** A key whose maker has a quota of its own gets that one, if it is given none: the usual one may be more. */
  private quotaFor(creator: Principal, asked: RateLimit | null): RateLimit | null {
    if (asked === null) return creator.isAdmin ? null : creator.rateLimit;
    requireQuota(creator, asked, this.config.rateLimit);
    return asked;
  }

  private withSecret(
    repeatable: RepeatableRequest | undefined,
    work: (tx: Transaction, hash: string) => Promise<Tagged<ApiKey>>,
  ): Promise<Created> {
    return this.keys.transaction(
      async (tx) => {
        const key = makeSecret();
        const { resource, etag } = await work(tx, hashSecret(key));
        return { resource: { ...resource, key }, etag };
      },
      { path: PATH, repeatable, replay: 'secret' },
    );
  }

  /** @returns what ends with the key. */
  private async removeWith(tx: Transaction, id: string, precondition: Precondition): Promise<readonly Ended[]> {
    await this.keys.delete(tx, id, precondition);
    await removeSecrets(tx, id);
    return this.webhooks.onCredentialDeletion(tx, 'key', id);
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
