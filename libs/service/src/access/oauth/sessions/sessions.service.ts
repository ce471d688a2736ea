import { formatTime } from '../../../data/definition/column-codecs.js';
import { ALL_PARENTS } from '../../../data/definition/parent-keys.js';
import type { ListResponse } from '../../../data/lists/list-page.js';
import type { Precondition } from '../../../data/collections/write-options.js';
import type { Tagged } from '../../../data/collections/tagged.js';
import type { CreatedSession, Session } from '@items/dtos/contract';
import { OauthAudit } from '../../credentials/oauth/oauth-audit.js';
import { REFRESH_TOKEN_SECONDS } from '../../credentials/tokens/lifetimes.js';
import { areScopes, grantable, splitScope } from '../../credentials/tokens/scope-words.js';
import { issueTokens } from '../../credentials/tokens/issue-tokens.js';
import { sessionsToEnd } from '../../credentials/tokens/session-room.js';
import { AuthStrategies } from '../../auth/strategies/auth-strategies.js';
import type { CreateSessionDto } from '@items/dtos';
import { NotOwnerError, ValidationError } from '@items/conventions';
import type { AuditSource } from '../../../runtime/logging/audit.js';
import { type CollectionOf, InjectCollection } from '../../../http/nest/collection-token.js';
import type { ListRequest } from '@items/paging';
import { Database, type Transaction } from '../../../data/database/database.js';
import { isRowId } from '../../../data/schema/row-id.js';
import type { IdempotentCreation, RepeatableRequest } from '../../../data/idempotency/idempotency.js';
import { Injectable } from '@nestjs/common';
import { type AdapterPayload, errors } from 'oidc-provider';
import { v7 as uuidv7 } from 'uuid';
import { Accounts, lockUser } from '../../accounts/accounts.js';
import { ownUserId } from '../../auth/ownership.js';
import { type ChangeSource, sourceOfUser } from '../../principal/request-principal.js';
import { Permissions } from '../../principal/permissions.js';
import { isLogin, type Principal } from '../../principal/principal.js';
import { Authorizations, discard, WITH_AUDIT_RECORD } from '../authorizations/authorizations.js';
import { sessionCollection } from '../authorizations/session.collection.js';

const PATH = '/sessions';
const OWNER = 'SELECT user_id FROM sessions WHERE id = $1';

/** Identifies a repeated request of a user. Undefined without an `Idempotency-Key`. */
type RepeatableOf = (body: object, userId: string) => RepeatableRequest | undefined;

/** Manages sessions. A session starts by a login with a password, or on a first-party page. */
@Injectable()
export class SessionsService {
  constructor(
    @InjectCollection(sessionCollection) private readonly sessions: CollectionOf<typeof sessionCollection>,
    private readonly accounts: Accounts,
    private readonly authorizations: Authorizations,
    private readonly database: Database,
    private readonly strategies: AuthStrategies,
    private readonly permissions: Permissions,
    private readonly audit: OauthAudit,
  ) {}

  /** Ends older sessions beyond `MAX_SESSIONS`. Only this response contains the tokens. A repeated request gets 409. */
  async create(
    { username, password, scope }: CreateSessionDto,
    repeatableOf: RepeatableOf,
    source: AuditSource,
  ): Promise<IdempotentCreation<CreatedSession>> {
    const { scopes } = this.permissions;
    if (scope !== null && !areScopes(splitScope(scope), scopes)) throw unknownScope(scopes);
    const id = uuidv7();
    const account = await this.accounts.authenticate(username, password, { ...source, sessionId: id });
    if (account === undefined) throw this.strategies.wrongPassword();
    // Compares repeated requests without the password, so that not even a digest of the password is stored.
    const repeatable = repeatableOf({ username, scope }, account.id);
    const granted = grantable(scope, account.scopes, scopes).join(' ');
    let ended = 0;
    const work = async (tx: Transaction): Promise<Tagged<CreatedSession>> => {
      if (!(await lockUser(tx, this.database.dialect, account.id))) throw this.strategies.wrongPassword();
      ended = await this.makeRoom(tx, account.id);
      const expiresAt = Date.now() + REFRESH_TOKEN_SECONDS * 1000;
      const fields = { user_id: account.id, scope: granted, expires_at: formatTime(expiresAt) };
      const { resource, etag } = await this.sessions.insertWithId(tx, id, fields);
      await this.authorizations.addLogin(tx, id, account, granted, expiresAt);
      const tokens = await issueTokens(tx, resource.id, account.id, granted);
      return { resource: { id: resource.id, ...tokens }, etag };
    };
    const origin = sourceOfUser(source, account.id, id);
    const created = await this.sessions.createOnce(work, { path: PATH, repeatable, replay: 'secret', origin });
    if (ended > 0) this.authorizations.clearCaches();
    return created;
  }

  /**
   * A login with fewer scopes than its user sees only its own session. An administrator's credential without a user
   * sees all sessions.
   */
  async list(caller: Principal, request: ListRequest, path: string): Promise<ListResponse<Session>> {
    if (caller.userId === null && caller.isAdmin) return this.sessions.list(request, path, ALL_PARENTS);
    const own = { user_id: ownUserId(caller) };
    const parent = (await this.accounts.isNarrowedLogin(caller)) ? { ...own, id: caller.credentialId } : own;
    return this.sessions.list(request, path, parent);
  }

  /**
   * Checks that the caller may end this session: users end their own sessions, administrators all sessions. SPEC §1.3,
   * §5.2
   *
   * Leaves two refusals to {@link remove}: for a credential without a user, and for a login (session, Basic or
   * strategy) with an unknown session id. The 404 of `remove` counts in the revocation quota. A 403 here would count in
   * the usual quota (SPEC §8.1).
   * @throws {NarrowedLoginError} 403: a login that lacks scopes of its user may end only its own session.
   * @throws {NotOwnerError} 403: the session of another user. For an API key, also an unknown session.
   */
  async requireOwn(caller: Principal, id: string): Promise<void> {
    if (id !== caller.credentialId) await this.accounts.requireWholeLogin(caller);
    if (caller.isAdmin || caller.userId === null) return;
    const [session] = isRowId(id) ? await this.database.query<{ user_id: string }>(OWNER, [id]) : [];
    if (session === undefined ? !isLogin(caller) : session.user_id !== caller.userId) throw new NotOwnerError();
  }

  /** Ends a session and its tokens. See `Authorizations.end()`. */
  async remove(caller: Principal, id: string, precondition: Precondition, source: ChangeSource): Promise<void> {
    const parent = caller.isAdmin ? ALL_PARENTS : { user_id: ownUserId(caller) };
    const remove = async (tx: Transaction): Promise<void> => {
      await this.sessions.delete(tx, id, precondition, parent);
      await this.authorizations.endInTransaction(tx, 'id', id);
    };
    await this.sessions.transaction(remove, { origin: source });
    this.authorizations.clearCaches();
  }

  /** Creates the authorization for the code of a first-party page. SPEC §5.5 */
  async begin(tx: Transaction, code: AdapterPayload, endsAt: number): Promise<void> {
    const { grantId = '', accountId = '', scope = '' } = code;
    const account = await this.accounts.find(accountId);
    if (account === undefined) throw new errors.AccessDenied('the user is gone');
    await this.authorizations.addLogin(tx, grantId, account, scope, endsAt);
  }

  /** Starts the session when a first-party page redeems its code. */
  async redeem(tx: Transaction, refreshToken: AdapterPayload, endsAt: number): Promise<void> {
    const { grantId = '', accountId = '', scope = '' } = refreshToken;
    if (!(await lockUser(tx, this.database.dialect, accountId))) throw new errors.InvalidGrant('the user is gone');
    tx.origin = sourceOfUser(this.audit.source(accountId), accountId, grantId);
    await this.makeRoom(tx, accountId);
    await this.sessions.insertWithId(tx, grantId, { user_id: accountId, scope, expires_at: formatTime(endsAt) });
    await tx.query('UPDATE oauth_authorizations SET expires_at = $2 WHERE id = $1', [grantId, endsAt]);
  }

  private async makeRoom(tx: Transaction, userId: string): Promise<number> {
    const ids = await sessionsToEnd(tx, userId);
    for (const id of ids) {
      // Locks rows in the same order as `remove()`, to prevent deadlocks.
      await discard(this.sessions, tx, id, WITH_AUDIT_RECORD);
      await this.authorizations.endInTransaction(tx, 'id', id);
    }
    return ids.length;
  }
}

function unknownScope(values: readonly string[]): ValidationError {
  const message = `"scope" must be scopes separated by spaces, each one of ${values.join(', ')}.`;
  return new ValidationError([{ field: 'scope', code: 'not_allowed', message, params: { values } }]);
}
