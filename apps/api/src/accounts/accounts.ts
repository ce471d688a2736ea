import { TooManyFailuresError } from '@items/errors';
import { Injectable } from '@nestjs/common';

import { LookUps } from '../caching/look-ups.js';
import { Database, type Transaction } from '../database/database.js';
import { isRowId } from '../database/row-id.js';
import { Audit } from '../logging/audit.js';
import { SELECT_ACCOUNT, toAccount, type Account, type AccountRow } from './account.js';
import { LoginFailures } from './login-failures.js';
import { PasswordHasher } from './password-hasher.js';

const BY_ID = `${SELECT_ACCOUNT} WHERE u.id = $1`;
const BY_USERNAME = `${SELECT_ACCOUNT} WHERE u.username = $1`;
const USERNAME = /^[a-z0-9._-]{3,64}$/;

/** What has happened to a user. */
export interface AccountChange {
  readonly kind: 'profile' | 'password' | 'disabled' | 'enabled' | 'role' | 'deleted';
  /** The credential that made a change of its own password: of all sessions, it alone lives on. */
  readonly keptCredentialId?: string;
}

type Listener = (userId: string, change: AccountChange) => void | Promise<void>;
type Cleanup = (tx: Transaction, userId: string) => Promise<void>;

/** Who the users are, for all that issues or judges credentials. SPEC §5 */
@Injectable()
export class Accounts {
  private readonly known: LookUps<Account>;
  private readonly listeners: Listener[] = [];
  private readonly cleanups: Cleanup[] = [];

  constructor(
    private readonly database: Database,
    private readonly passwords: PasswordHasher,
    private readonly failures: LoginFailures,
    private readonly audit: Audit,
  ) {
    this.known = new LookUps((id) => this.read(BY_ID, id).then((row) => (row === undefined ? null : toAccount(row))));
  }

  /** Also a disabled user. At most some seconds old; what this process changes is seen at once. @param id anything. */
  async find(id: string): Promise<Account | undefined> {
    return isRowId(id) ? ((await this.known.get(id)) ?? undefined) : undefined;
  }

  /**
   * Whose password it is. The same work is done for an unknown user, a wrong password and a disabled user, so that
   * neither the answer nor its time tells them apart. The audit log tells.
   * @param address of the client.
   * @returns undefined for all three.
   * @throws {TooManyFailuresError} 429: after 10 failures from this address in 15 minutes; a success forgives them.
   * @throws {ServiceUnavailableError} 503: too many passwords wait to be judged.
   */
  async authenticate(
    username: string,
    password: string,
    address: string,
    requestId: string | null = null,
  ): Promise<Account | undefined> {
    const source = { actor: null, userId: null, address, requestId };
    let subject: string | null = null;
    try {
      const account = await this.failures.guard(username, address, async () => {
        let row: AccountRow | undefined;
        const matches = await this.passwords.verify(async () => {
          // What cannot be a username is asked for all the same: it must take as long.
          row = await this.read(BY_USERNAME, USERNAME.test(username) ? username : '');
          return row?.hash;
        }, password);
        subject = row?.id ?? null;
        return matches && row?.disabled === 0 ? toAccount(row) : undefined;
      });
      this.audit.record(account === undefined ? 'login_failed' : 'login_succeeded', source, subject);
      return account;
    } catch (error) {
      if (error instanceof TooManyFailuresError) this.audit.record('login_throttled', source, null);
      throw error;
    }
  }

  /** Calls the listener after a user was changed or deleted, in this process, before the change is answered. */
  onChange(listener: Listener): void {
    this.listeners.push(listener);
  }

  /** Has what belongs to a user deleted in the same transaction as he. */
  onDeletion(cleanup: Cleanup): void {
    this.cleanups.push(cleanup);
  }

  /** A user is about to be deleted. */
  async cleanUp(tx: Transaction, userId: string): Promise<void> {
    await tx.query('DELETE FROM user_passwords WHERE user_id = $1', [userId]);
    for (const cleanup of this.cleanups) await cleanup(tx, userId);
  }

  /** A user was changed: all that is remembered of him is forgotten. */
  async changed(userId: string, change: AccountChange): Promise<void> {
    this.known.forget(userId);
    for (const listener of this.listeners) await listener(userId, change);
  }

  private async read(sql: string, key: string): Promise<AccountRow | undefined> {
    const [row] = await this.database.query<AccountRow>(sql, [key]);
    return row;
  }
}
