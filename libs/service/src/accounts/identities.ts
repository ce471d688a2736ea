import { ReadThroughCache } from '../caching/read-through-cache.js';
import type { Identity } from '@items/dtos/contract';
import { Database } from '@items/store';
import { Injectable } from '@nestjs/common';

import type { Account } from './account.js';
import type { AccountChange, AccountListener } from './account-listener.js';
import { Accounts } from './accounts.js';

const FIND = 'SELECT id FROM users WHERE identity_subject = $1 AND identity_issuer = $2';

/** Which users are linked to the persons whom identity providers know. SPEC §5.5 */
@Injectable()
export class Identities implements AccountListener {
  private readonly known = new ReadThroughCache<{ readonly id: string }>((key) => this.read(key));

  constructor(
    private readonly database: Database,
    private readonly accounts: Accounts,
  ) {}

  /** Also a disabled user; null for nobody. At most some seconds old; what this process changes is seen at once. */
  async find(identity: Identity): Promise<Account | null> {
    const user = await this.known.get(keyOf(identity));
    return user === null ? null : ((await this.accounts.find(user.id)) ?? null);
  }

  /** The same without a look-up: undefined where it takes one. */
  peek(identity: Identity): Account | null | undefined {
    const user = this.known.peek(keyOf(identity));
    return user ? this.accounts.peek(user.id) : user;
  }

  onChange(_userId: string, { kind }: AccountChange): void {
    if (kind === 'identity' || kind === 'deleted') this.known.clear();
  }

  private async read(key: string): Promise<{ readonly id: string } | null> {
    const [issuer, subject] = JSON.parse(key) as [string, string];
    const [user] = await this.database.query<{ id: string }>(FIND, [subject, issuer]);
    return user ?? null;
  }
}

function keyOf({ issuer, subject }: Identity): string {
  return JSON.stringify([issuer, subject]);
}
