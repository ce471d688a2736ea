import { type MaybePromise, NotOwnerError, type RateLimit, ValidationError } from '@items/conventions';
import type { ApiKey, CreatedApiKey, Scope } from '@items/dtos/contract';
import type { CreateApiKeyDto, ReplaceApiKeyDto, RotationDto } from '@items/dtos';
import type { ListRequest } from '@items/paging';
import { Inject, Injectable } from '@nestjs/common';
import { ALL_PARENTS, type ParentKeys } from '../../data/definition/parent-keys.js';
import { ROTATED, UNRECORDED } from '../../data/definition/change-recorder.js';
import type { ListResponse } from '../../data/lists/list-page.js';
import type { Precondition } from '../../data/collections/write-options.js';
import type { Tagged } from '../../data/collections/tagged.js';
import { DelegatedCredentialError } from '../errors/access-errors.js';
import { withSecret } from '../credentials/secrets/rotating-secrets.js';
import { hashSecret, makeSecret } from '../credentials/secrets/secret.js';
import { Audit } from '../../runtime/logging/audit.js';
import { type CollectionOf, InjectCollection } from '../../http/nest/collection-token.js';
import type { Transaction } from '../../data/database/database.js';
import type { IdempotentCreation, RepeatableRequest } from '../../data/idempotency/idempotency.js';
import { requireHeld, requireQuota } from '../principal/rights.js';
import type { ChangeSource } from '../principal/request-principal.js';
import type { Principal } from '../principal/principal.js';
import { CONFIG, type Config } from '../../runtime/config/config.js';
import { ApiKeyRemovalsService } from './api-key-removals.service.js';
import { apiKeyCollection, apiKeySecrets } from './api-key.collection.js';
import { KeyOwnersService } from './key-owners.service.js';

const PATH = '/api-keys';

type Created = IdempotentCreation<CreatedApiKey>;
type Decision = Parameters<CollectionOf<typeof apiKeyCollection>['lockAndUpdate']>[2];

@Injectable()
export class ApiKeysService {
  constructor(
    @InjectCollection(apiKeyCollection) private readonly keys: CollectionOf<typeof apiKeyCollection>,
    private readonly removals: ApiKeyRemovalsService,
    private readonly owners: KeyOwnersService,
    private readonly audit: Audit,
    @Inject(CONFIG) private readonly config: Pick<Config, 'rateLimit'>,
  ) {}

  /**
   * Lists all keys for an administrator, and own keys for others. For an application, lists only keys that it created.
   * @throws {NotOwnerError} 403: a credential without a user owns no key.
   */
  async list(caller: Principal, request: ListRequest, path: string): Promise<ListResponse<ApiKey>> {
    const { isAdmin, userId } = caller;
    if (isAdmin) return this.keys.list(request, path, ALL_PARENTS);
    if (userId === null) throw new NotOwnerError();
    return this.keys.list(request, path, { user_id: userId, ...reachableBy(caller) });
  }

  get(caller: Principal, id: string): MaybePromise<Tagged<ApiKey>> {
    return this.keys.get(id, reachableBy(caller));
  }

  /**
   * A key that an application creates for its user acts as that application.
   * @throws {ValidationError} 422: a key with allowed origins must be read-only.
   */
  async create(
    creator: Principal,
    input: CreateApiKeyDto,
    repeatable: RepeatableRequest | undefined,
    source: ChangeSource,
  ): Promise<Created> {
    refuseOutsideTokens(creator);
    requireHeld(creator, input.scopes);
    const quota = this.quotaFor(creator, input.rate_limit);
    requireReadOnlyForPages(input.allowed_origins, input.scopes);
    const made = await withSecret(this.keys, { path: PATH, repeatable, origin: source }, async (tx) => {
      await this.owners.lockFor(tx, creator);
      const [key, now] = [makeSecret(), Date.now()];
      const hidden = {
        user_id: creator.userId,
        client_id: creator.delegatedTo ?? null,
        secrets: apiKeySecrets.first(now),
        rate_limit: quota,
      };
      const made = await this.keys.insert(tx, input, hidden);
      await apiKeySecrets.add(tx, made.resource.id, hashSecret(key), now);
      await this.owners.requireRoom(tx, creator);
      return [made, { key }];
    });
    this.removals.clearCaches();
    return made;
  }

  /**
   * The former secret stays valid for the grace period. SPEC §5.3
   * @throws {ScopeEscalationError} 403: the key has scopes that the caller lacks.
   */
  async rotate(
    caller: Principal,
    id: string,
    { grace_seconds: graceSeconds }: RotationDto,
    repeatable: RepeatableRequest | undefined,
    source: ChangeSource,
  ): Promise<Created> {
    refuseOutsideTokens(caller);
    const made = await withSecret(this.keys, { path: PATH, repeatable, origin: source }, async (tx) => {
      // Concurrent rotations run one after the other.
      const { resource } = await this.keys.lockAndUpdate(tx, id, () => ({}), reachableBy(caller), UNRECORDED);
      requireHeld(caller, resource.scopes);
      requireQuota(caller, resource.rate_limit, this.config.rateLimit);
      const key = makeSecret();
      await apiKeySecrets.replace(tx, id, hashSecret(key), graceSeconds);
      const secrets = await apiKeySecrets.shown(tx, id);
      return [await this.keys.update(tx, id, { secrets }, undefined, ALL_PARENTS, ROTATED), { key }];
    });
    this.removals.clearCaches();
    return made;
  }

  /**
   * Checks the stored scopes if `scopes` is omitted. SPEC §2.4
   * @throws {ScopeEscalationError} 403, even before 404: the caller lacks a scope of `input`.
   * @throws {QuotaEscalationError} 403, even before 404.
   * @throws {ValidationError} 422: a key with allowed origins must be read-only.
   */
  async replace(
    caller: Principal,
    id: string,
    input: ReplaceApiKeyDto,
    precondition: Precondition,
    source: ChangeSource,
  ): Promise<Tagged<ApiKey>> {
    const { scopes, rate_limit: rateLimit } = input;
    if (scopes !== undefined) requireHeld(caller, scopes);
    if (rateLimit !== undefined) requireQuota(caller, rateLimit, this.config.rateLimit);
    const replace = async (tx: Transaction): Promise<Tagged<ApiKey>> => {
      // A later expiry makes an expired key valid again. The key then counts towards the maximum of valid keys.
      const holder = input.expires_at === undefined ? undefined : await this.owners.lockForExpired(tx, id);
      const check: Decision = (before, etag) => {
        const { scopes: keptOrSent = before.scopes, allowed_origins: origins = before.allowed_origins } = input;
        requireHeld(caller, keptOrSent);
        requireReadOnlyForPages(origins, keptOrSent);
        precondition?.(etag);
        return input;
      };
      const key = await this.keys.lockAndUpdate(tx, id, check, reachableBy(caller));
      if (holder !== undefined) await this.owners.requireRoom(tx, holder);
      return key;
    };
    const replaced = await this.keys.transaction(replace, { origin: source });
    this.removals.clearCaches();
    return replaced;
  }

  async remove(caller: Principal, id: string, precondition: Precondition, source: ChangeSource): Promise<void> {
    const remove = (tx: Transaction): Promise<readonly string[]> =>
      this.removals.removeWithin(tx, id, precondition, reachableBy(caller), UNRECORDED);
    const webhooks = await this.keys.transaction(remove, { origin: source });
    this.removals.clearCaches();
    for (const webhook of webhooks) this.audit.record('webhook_deleted', source, webhook, { because: { key: id } });
  }

  /** Default: the quota of the creator. The default of the service could be larger. */
  private quotaFor(creator: Principal, requested: RateLimit | null): RateLimit | null {
    if (requested === null) return creator.rateLimit;
    requireQuota(creator, requested, this.config.rateLimit);
    return requested;
  }
}

/** Refuses a token of another issuer, because a key would outlive the token. */
function refuseOutsideTokens({ isOutside }: Principal): void {
  if (isOutside === true) throw new DelegatedCredentialError();
}

/** Restricts an application to the keys that it created. Other keys get 404. SPEC §5.3 */
function reachableBy({ delegatedTo }: Principal): ParentKeys {
  return delegatedTo === undefined ? ALL_PARENTS : { client_id: delegatedTo };
}

/**
 * A key with allowed origins must be read-only, because everyone who opens a page of such an origin can read the key.
 * SPEC §5
 */
function requireReadOnlyForPages(allowedOrigins: readonly string[] | null, scopes: readonly Scope[]): void {
  if (allowedOrigins === null || scopes.every((scope) => scope.endsWith(':read'))) return;
  const message =
    'A key with "allowed_origins" may only have scopes that end in ":read": everyone who sees the page can see the key.';
  throw new ValidationError([{ field: 'scopes', code: 'too_broad', message }]);
}
