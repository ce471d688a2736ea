import { LookUpCache } from '../../data/caching/look-up-cache.js';
import type { Identity } from '@items/dtos/contract';
import { type MaybePromise, thenMaybe } from '@items/conventions';
import { Database } from '../../data/database/database.js';
import { Injectable } from '@nestjs/common';
import type { Account } from './account.js';
import type { AccountChange, AccountListener } from './listeners.js';
import { Accounts } from './accounts.js';

const FIND = 'SELECT id FROM users WHERE identity_subject = $1 AND identity_issuer = $2';

const MAX_SUBJECT_LENGTH = 255;
/** PostgreSQL can store neither NUL nor half of a surrogate pair. */
const UNSTORABLE = /\0|\p{Cs}/u;

export function isSubject(subject: unknown): subject is string {
  if (typeof subject !== 'string' || subject === '' || UNSTORABLE.test(subject)) return false;
  return [...subject].length <= MAX_SUBJECT_LENGTH;
}

/** Finds the user who is linked to an identity (issuer and subject). SPEC §5.5 */
@Injectable()
export class Identities implements AccountListener {
  private readonly known = new LookUpCache<{ readonly id: string }>();

  constructor(
    private readonly database: Database,
    private readonly accounts: Accounts,
  ) {}

  find(identity: Identity): MaybePromise<Account | undefined> {
    const key = JSON.stringify([identity.issuer, identity.subject]);
    const user = this.known.get(key, () => this.read(identity));
    return thenMaybe(user, (found) => (found === null ? undefined : this.accounts.find(found.id)));
  }

  onChange(_userId: string, { kind }: AccountChange): void {
    if (kind === 'identity' || kind === 'deleted') this.known.clear();
  }

  private async read({ issuer, subject }: Identity): Promise<{ readonly id: string } | null> {
    const [user] = await this.database.query<{ id: string }>(FIND, [subject, issuer]);
    return user ?? null;
  }
}
