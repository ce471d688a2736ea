import { type LookUps, ReadThroughCache } from '../../caching/read-through-cache.js';
import { PerConnectionMemo } from '../../caching/per-connection-memo.js';
import { type MaybePromise, thenMaybe } from '@items/conventions';
import { type HashedSecret, hashSecret, isWellFormed } from '../../credentials/secrets/secret.js';
import { LastUses } from '../../credentials/secrets/last-uses.js';
import { Database } from '@items/store';
import { Injectable } from '@nestjs/common';

import type { AccountListener } from '../../accounts/account-listener.js';
import { AdminKey } from '../admin-key.js';
import type { Principal } from '../../principal/principal.js';
import { Permissions } from '../../principal/permissions.js';
import { findPrincipal, type FoundPrincipal } from './find-principal.js';

/** The admin key may be any text of at least so many characters. SPEC §5.3 */
const MIN_ADMIN_KEY_LENGTH = 32;

/** Tells whose an API key is. */
@Injectable()
export class ApiKeyAuthenticator implements AccountListener {
  private readonly principals: ReadThroughCache<FoundPrincipal>;
  private readonly secrets = new PerConnectionMemo(hashed);

  constructor(
    database: Database,
    permissions: Permissions,
    private readonly admin: AdminKey,
    private readonly uses: LastUses,
  ) {
    this.principals = new ReadThroughCache((hash) => findPrincipal(database, permissions, hash), {
      endsAt: ({ expiresAt }) => expiresAt,
    });
  }

  /** For those who watch. */
  get lookUps(): LookUps {
    return this.principals.lookUps;
  }

  /**
   * @param key as it stands in the header.
   * @returns null for a key that is not valid; at once, without a promise, where no look-up is needed.
   * @throws {ServiceUnavailableError} if the database cannot tell.
   */
  authenticate(key: string): MaybePromise<Principal | null> {
    if (!isWellFormed(key)) return this.authenticateOther(key);
    const hash = hashSecret(key);
    return thenMaybe(this.principals.get(hash), (found) => this.used(hash, found));
  }

  /**
   * What can be said without a look-up; undefined where it takes one, as {@link authenticate} makes it.
   * @param connection that brought it.
   */
  known(key: string, connection: object): Principal | null | undefined {
    if (key.length < MIN_ADMIN_KEY_LENGTH) return null;
    const secret = this.secrets.of(connection, key);
    const found = secret.isOfForm ? this.principals.peek(secret.hash) : null;
    if (!found) return found === null ? this.admin.known(secret) : undefined;
    this.uses.record(secret.hash);
    return found.principal;
  }

  /** Whose keys they are may do less now, or nothing. */
  onChange(): void {
    this.forget();
  }

  /** A key was changed or deleted: what this process remembers of any may be wrong. */
  forget(): void {
    this.principals.clear();
  }

  /** A secret that is no API key's may still be the admin key; which of the two is asked first makes no difference. */
  private used(hash: string, found: FoundPrincipal | null): MaybePromise<Principal | null> {
    if (found === null) return this.admin.authenticate(hash);
    this.uses.record(hash);
    return found.principal;
  }

  private authenticateOther(key: string): MaybePromise<Principal | null> {
    return key.length < MIN_ADMIN_KEY_LENGTH ? null : this.admin.authenticate(hashOfHeader(key));
  }
}

function hashed(key: string): HashedSecret {
  const isOfForm = isWellFormed(key);
  return { hash: isOfForm ? hashSecret(key) : hashOfHeader(key), isOfForm };
}

/** The header's characters are the bytes that were sent. */
function hashOfHeader(key: string): string {
  return hashSecret(Buffer.from(key, 'latin1'));
}
