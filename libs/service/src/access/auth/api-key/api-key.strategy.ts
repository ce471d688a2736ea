import { type LookUps, LookUpCache } from '../../../data/caching/look-up-cache.js';
import { hashSecret, isWellFormed } from '../../credentials/secrets/secret.js';
import { LastUses } from '../../credentials/secrets/last-uses.js';
import { isPromise, type MaybePromise } from '@items/conventions';
import { Database } from '../../../data/database/database.js';
import { CONFIG, type Config } from '../../../runtime/config/config.js';
import { Inject, Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { FastifyRequest } from 'fastify';
import { Passport } from 'passport';
import { HeaderAPIKeyStrategy } from 'passport-headerapikey';
import type { AccountListener } from '../../accounts/listeners.js';
import { AdminKey } from '../admin-key.js';
import type { Principal } from '../../principal/principal.js';
import { Permissions } from '../../principal/permissions.js';
import { findPrincipal, type FoundPrincipal } from './find-principal.js';

const MIN_ADMIN_KEY_LENGTH = 32;

@Injectable()
export class ApiKeyStrategy extends PassportStrategy(HeaderAPIKeyStrategy, 'api-key') implements AccountListener {
  private readonly principals = new LookUpCache<FoundPrincipal>({ endsAt: ({ expiresAt }) => expiresAt });

  constructor(
    private readonly database: Database,
    private readonly permissions: Permissions,
    private readonly admin: AdminKey,
    private readonly uses: LastUses,
    @Inject(CONFIG) private readonly config: Pick<Config, 'authMethods' | 'oauthIssuers'>,
  ) {
    super({ header: 'X-API-Key', prefix: '' }, false);
  }

  get lookUps(): LookUps {
    return this.principals.lookUps;
  }

  /** Bypasses Passport, whose promises cost more than the lookup itself. */
  cached({ headers }: FastifyRequest): Principal | undefined {
    const key = headers['x-api-key'];
    if (typeof key !== 'string' || key.length < MIN_ADMIN_KEY_LENGTH) return undefined;
    // Node decodes headers as Latin-1. This restores the sent bytes.
    const hash = hashSecret(Buffer.from(key, 'latin1'));
    const found = this.principals.peek(hash);
    if (found === undefined) return this.admin.cached(hash);
    this.uses.record(hash);
    return found.principal;
  }

  validate(key: string): MaybePromise<Principal | null> {
    if (key.length < MIN_ADMIN_KEY_LENGTH) return null;
    const hash = hashSecret(Buffer.from(key, 'latin1'));
    // The admin key is accepted even if `AUTH_METHODS` excludes API keys.
    const { authMethods, oauthIssuers } = this.config;
    if (!isWellFormed(key) || !authMethods.includes('api-key')) return this.admin.authenticate(hash);
    const found = this.principals.get(hash, () => findPrincipal(this.database, this.permissions, oauthIssuers, hash));
    return isPromise(found) ? found.then((known) => this.used(hash, known)) : this.used(hash, found);
  }

  /** Passport's singleton would let a second Nest application in this process replace the strategies of the first. */
  getPassportInstance(): InstanceType<typeof Passport> {
    return new Passport();
  }

  /** Forgets the cached callers, because a user may have lost rights. */
  onChange(): void {
    this.forget();
  }

  forget(): void {
    this.principals.clear();
  }

  private used(hash: string, found: FoundPrincipal | null): MaybePromise<Principal | null> {
    if (found === null) return this.admin.authenticate(hash);
    this.uses.record(hash);
    return found.principal;
  }
}
