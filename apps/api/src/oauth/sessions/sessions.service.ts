import type { CreatedSession, Session } from '@items/contracts';
import { NotOwnerError } from '@items/errors';
import type { ListRequest } from '@items/paging';
import { Inject, Injectable } from '@nestjs/common';

import { Accounts } from '../../accounts/accounts.js';
import type { Account } from '../../accounts/account.js';
import { unauthorized } from '../../auth/challenges.js';
import { userOf } from '../../auth/ownership.js';
import type { Principal } from '../../auth/principal.js';
import type { ListAnswer } from '../../collections/collection-reader.js';
import type { Precondition } from '../../collections/collection-service.js';
import { collectionToken } from '../../collections/collections.module.js';
import { EVERYWHERE, type Within } from '../../collections/within.js';
import { Database, type Transaction } from '../../database/database.js';
import {
  Idempotency,
  type Creation,
  type IdempotentCreation,
  type RepeatableRequest,
} from '../../idempotency/idempotency.js';
import { Audit, type AuditSource } from '../../logging/audit.js';
import { FIRST_PARTY, REFRESH_TOKEN_SECONDS } from '../lifetimes.js';
import { grantPayload } from '../provider/grant-payload.js';
import { grantable } from '../provider/scope-words.js';
import { Authorizations } from '../tokens/authorizations.js';
import { issueTokens } from './issue-tokens.js';
import type { SessionsCollection } from './session.collection.js';

/** A login: what was sent, and whence. */
export interface Login {
  readonly username: string;
  readonly password: string;
  readonly scope: string | null;
  readonly source: AuditSource;
}

/** Logins of users. SPEC §5 Bearer token */
@Injectable()
export class SessionsService {
  constructor(
    @Inject(collectionToken('sessions')) private readonly sessions: SessionsCollection,
    private readonly database: Database,
    private readonly idempotency: Idempotency,
    private readonly accounts: Accounts,
    private readonly authorizations: Authorizations,
    private readonly audit: Audit,
  ) {}

  /** @throws {UnauthorizedError} 401: the same for whatever is wrong. @throws {TooManyFailuresError} 429 */
  async authenticate({ username, password, source }: Login): Promise<Account> {
    const account = await this.accounts.authenticate(username, password, source.address, source.requestId);
    if (account === undefined) throw unauthorized({ method: 'authorization', scheme: 'basic' });
    return account;
  }

  /**
   * Begins a session; its tokens stand in the answer, and nowhere else.
   * @throws {ConflictError} 409: a repetition, for whose answer the tokens would have to be stored.
   */
  create(
    account: Account,
    { scope }: Pick<Login, 'scope'>,
    path: string,
    repeatable: RepeatableRequest | undefined,
  ): Promise<IdempotentCreation<CreatedSession>> {
    const granted = grantable(scope, account.scopes).join(' ');
    return this.idempotency.run(repeatable, 'secret', async (tx): Promise<Creation<CreatedSession>> => {
      const expiresAt = Date.now() + REFRESH_TOKEN_SECONDS * 1000;
      const row = { user_id: account.id, scope: granted, last_used_at: null, expires_at: expiresAt };
      const { resource, etag } = await this.sessions.insert(tx, row);
      await this.authorize(tx, resource, account, expiresAt);
      const tokens = await issueTokens(tx, resource.id, account.id, granted);
      return { resource: { id: resource.id, ...tokens }, etag, location: `${path}/${resource.id}` };
    });
  }

  /** The caller's own; an administrator's credential that belongs to no user lists everybody's. */
  list(caller: Principal, request: ListRequest, path: string): Promise<ListAnswer<Session>> {
    const isOperator = caller.userId === null && caller.isAdmin;
    return this.sessions.list(request, path, isOperator ? EVERYWHERE : ownOf(caller));
  }

  /**
   * Ends a session: its tokens are dead, at once here, within seconds elsewhere.
   * @throws {NotOwnerError} 403: another user's. @throws {ResourceNotFoundError} 404 @throws {PreconditionFailedError} 412
   */
  async remove(caller: Principal, id: string, precondition: Precondition, source: AuditSource): Promise<void> {
    if (!caller.isAdmin) await this.requireOwner(userOf(caller, 'me'), id);
    await this.database.transaction(async (tx) => {
      await this.sessions.delete(tx, id, precondition);
      await this.authorizations.endWithin(tx, 'id', id);
    });
    this.authorizations.ended();
    this.audit.record('session_ended', source, id);
  }

  private async requireOwner(userId: string, id: string): Promise<void> {
    const { resource } = await this.sessions.get(id);
    if (resource.user_id !== userId) throw new NotOwnerError();
  }

  private authorize(tx: Transaction, session: Session, account: Account, expiresAt: number): Promise<void> {
    return this.authorizations.add(tx, {
      id: session.id,
      user_id: account.id,
      client_id: FIRST_PARTY,
      grant_id: null,
      credentials_version: account.credentialsVersion,
      payload: grantPayload(account.id, FIRST_PARTY, session.scope),
      expires_at: expiresAt,
    });
  }
}

/** @throws {ResourceNotFoundError} 404: the credential belongs to no user. */
function ownOf(caller: Principal): Within {
  return { user_id: userOf(caller, 'me') };
}
