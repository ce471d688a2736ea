import { isPromise, type MaybePromise, thenMaybe } from '@items/conventions';
import { Injectable } from '@nestjs/common';
import { NarrowedLoginError, TooManyFailuresError } from '../errors/access-errors.js';
import { LookUpCache, type LookUps } from '../../data/caching/look-up-cache.js';
import { type FailureKeys, LoginFailures, type PasswordUse } from '../credentials/logins/login-failures.js';
import { networkOf } from '../../http/request/network-of.js';
import { Audit, type AuditSource } from '../../runtime/logging/audit.js';
import { PasswordHasher } from '../passwords/password-hasher.js';
import { Database, type Transaction } from '../../data/database/database.js';
import { isRowId } from '../../data/schema/row-id.js';
import { Permissions } from '../principal/permissions.js';
import type { Principal } from '../principal/principal.js';
import { isNarrowedLogin } from '../principal/rights.js';
import { type Account, type AccountRow, SELECT_ACCOUNT, toAccount } from './account.js';
import type { Dialect } from '../../data/schema/dialect.js';

const BY_ID = `${SELECT_ACCOUNT} WHERE u.id = $1`;
const BY_USERNAME = `${SELECT_ACCOUNT} WHERE u.username = $1`;
const USERNAME = /^[a-z0-9._-]{3,64}$/;

export interface LoginSource extends Pick<AuditSource, 'address' | 'requestId'> {
  /** The session that a successful login starts. */
  readonly sessionId?: string;
}

@Injectable()
export class Accounts {
  private readonly known = new LookUpCache<Account>();

  constructor(
    private readonly database: Database,
    private readonly passwords: PasswordHasher,
    private readonly failures: LoginFailures,
    private readonly audit: Audit,
    private readonly permissions: Permissions,
  ) {}

  get lookUps(): LookUps {
    return this.known.lookUps;
  }

  /**
   * Finds a user, even a disabled one. Caches users for some seconds. Changes by this process are visible immediately.
   * @param id Unvalidated text.
   */
  find(id: string): MaybePromise<Account | undefined> {
    if (!isRowId(id)) return undefined;
    return thenMaybe(
      this.known.get(id, () => this.account(id)),
      (account) => account ?? undefined,
    );
  }

  /** @returns Undefined if the user is unknown or disabled, or has a credentials version later than `version`. */
  async findEnabled(id: string, version = Infinity): Promise<Account | undefined> {
    const account = await this.find(id);
    return account === undefined || account.disabled || account.credentialsVersion > version ? undefined : account;
  }

  async isNarrowedLogin(caller: Principal): Promise<boolean> {
    const account = caller.userId === null ? undefined : await this.find(caller.userId);
    return account !== undefined && isNarrowedLogin(caller, account.scopes);
  }

  /** @throws {NarrowedLoginError} 403: the login has fewer scopes than its user. SPEC §5.2 */
  async requireWholeLogin(caller: Principal): Promise<void> {
    if (await this.isNarrowedLogin(caller)) throw new NarrowedLoginError();
  }

  async hasPassword(userId: string): Promise<boolean> {
    return ((await this.read(BY_ID, userId))?.hash ?? null) !== null;
  }

  /**
   * Does the same work for an unknown user, a wrong password and a disabled user, so that neither response nor time
   * reveals the reason. Only the audit log names the user.
   * @param use Counter for a failure. A login with a cached password resets only `login`.
   * @throws {TooManyFailuresError} 429
   * @throws {ServiceUnavailableError} 503: the queue of password checks is full.
   */
  async authenticate(
    username: string,
    password: string,
    { address, requestId, sessionId }: LoginSource,
    use: PasswordUse = 'login',
  ): Promise<Account | undefined> {
    const source = { actor: null, userId: null, address, requestId };
    return this.auditingThrottled(source, async () => {
      let subject: string | null = null;
      const account = await this.failures.guard(username, address, use, async (sinceMs) => {
        let row: AccountRow | undefined;
        let readAtMs = 0;
        const matches = await this.passwords.verify(
          async () => {
            // Queries for invalid usernames too, so that they take as much time as valid usernames.
            readAtMs = performance.now();
            row = await this.read(BY_USERNAME, USERNAME.test(username) ? username : '');
            return row?.hash ?? undefined;
          },
          password,
          networkOf(address),
          sinceMs,
        );
        subject = row?.id ?? null;
        if (!matches || row?.disabled !== 0) return undefined;
        const found = toAccount(row, this.permissions);
        // Caches the verified row. If the password changes meanwhile, this login must not get the new credentials
        // version.
        this.known.put(row.id, found, readAtMs);
        return found;
      });
      if (account === undefined) this.audit.record('login_failed', source, subject);
      else this.audit.record('login_succeeded', source, subject, { session_id: sessionId });
      return account;
    });
  }

  /** Calls {@link LoginFailures.resetAfterCachedLogin}, and records a refusal in the audit log. */
  resetAfterCachedLogin(keys: FailureKeys, { address, requestId }: LoginSource): MaybePromise<unknown> {
    const source = { actor: null, userId: null, address, requestId };
    return this.auditingThrottled(source, () => this.failures.resetAfterCachedLogin(keys));
  }

  forget(userId: string): void {
    this.known.forget(userId);
  }

  private auditingThrottled<T>(source: AuditSource, login: () => MaybePromise<T>): MaybePromise<T> {
    const auditAndThrow = (error: unknown): never => {
      if (error instanceof TooManyFailuresError) this.audit.record('login_throttled', source, null);
      throw error;
    };
    try {
      const outcome = login();
      return isPromise(outcome) ? outcome.catch(auditAndThrow) : outcome;
    } catch (error) {
      return auditAndThrow(error);
    }
  }

  private async account(id: string): Promise<Account | null> {
    const row = await this.read(BY_ID, id);
    return row === undefined ? null : toAccount(row, this.permissions);
  }

  private async read(sql: string, key: string): Promise<AccountRow | undefined> {
    const [row] = await this.database.query<AccountRow>(sql, [key]);
    return row;
  }
}

/**
 * Locks a user, so that only one request at a time counts and adds credentials. SQLite has only one writer
 * and needs no lock.
 */
export async function lockUser(tx: Transaction, dialect: Dialect, userId: string): Promise<boolean> {
  const lock = dialect === 'postgres' ? ' FOR UPDATE' : '';
  return (await tx.query(`SELECT id FROM users WHERE id = $1${lock}`, [userId])).length > 0;
}
