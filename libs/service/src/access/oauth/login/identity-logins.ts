import { Artifacts, consumeArtifact, putArtifact } from '../../credentials/tokens/artifacts.js';
import { hashSecret, isSameHash, randomToken } from '../../credentials/secrets/secret.js';
import { seal, unseal } from '../../credentials/tokens/seal.js';
import { INTERACTION_SECONDS } from '../../credentials/tokens/lifetimes.js';
import { ApiError, MalformedRequestError, ResourceNotFoundError } from '@items/conventions';
import { Audit } from '../../../runtime/logging/audit.js';
import { Database } from '../../../data/database/database.js';
import { Injectable } from '@nestjs/common';
import type { OidcLogin } from '../../../runtime/config/oidc-login.js';
import type { ChangeSource } from '../../principal/request-principal.js';
import { Permissions } from '../../principal/permissions.js';
import { IdentityUsersService } from '../../users/identity-users.service.js';
import { FinishedLogins } from './finished-logins.js';
import { IdentityProvider, type LoginChecks, providerFailed, type Redeemed } from './identity-provider.js';
import { completeClaims, hasRequiredClaims, roleIn, hasRoleClaim, subjectIn, usernameFor } from './provider-claims.js';

/** Stored until the identity provider sends the browser back. */
interface StoredLogin extends Omit<LoginChecks, 'state'> {
  readonly interaction: string;
  /** Hash of the token in the browser's cookie. */
  readonly browser: string;
}

interface LoginRedirect {
  readonly location: string;
  readonly interaction: string;
  /** Value of the cookie that binds the login to the browser. */
  readonly browserToken: string;
}

/** Redirect of the browser back to the login page. */
interface LoginResult {
  readonly interaction: string;
  /** Value of the cookie with which the browser proves the login to the login page. */
  readonly loginToken: string;
}

const MODEL = 'IdentityLogin';

@Injectable()
export class IdentityLogins {
  constructor(
    private readonly provider: IdentityProvider,
    private readonly finished: FinishedLogins,
    private readonly identityUsers: IdentityUsersService,
    private readonly artifacts: Artifacts,
    private readonly database: Database,
    private readonly audit: Audit,
    private readonly permissions: Permissions,
  ) {}

  /**
   * @throws {ResourceNotFoundError} 404: no identity provider is configured.
   * @throws {MalformedRequestError} 400: the login page does not exist, or has expired.
   */
  async begin(interaction: string): Promise<LoginRedirect> {
    const settings = this.settings();
    const page = await this.artifacts.find(interaction);
    if (page?.model !== 'Interaction' || page.expires_at <= Date.now()) throw staleLogin();
    const checks = { state: randomToken(), nonce: randomToken(), verifier: randomToken() };
    const location = await this.provider.authorizationUrl(
      settings,
      checks,
      requiresLogin(unseal(page.payload, interaction)),
    );
    const browserToken = randomToken();
    const { nonce, verifier } = checks;
    const stored: StoredLogin = { interaction, browser: hashSecret(browserToken), nonce, verifier };
    await this.database.transaction((tx) =>
      putArtifact(tx, checks.state, {
        model: MODEL,
        payload: seal(JSON.stringify(stored), checks.state),
        expires_at: Date.now() + INTERACTION_SECONDS * 1000,
      }),
    );
    return { location: location.href, interaction, browserToken };
  }

  /**
   * @param cookieOf Returns the browser's cookie for a page.
   * @throws {MalformedRequestError} 400: the login is unknown, expired, used, of another browser, or refused by the
   * provider.
   */
  async complete(
    callbackParams: URLSearchParams,
    cookieOf: (interaction: string) => string | undefined,
    source: ChangeSource,
  ): Promise<LoginResult> {
    const settings = this.settings();
    const [state = '', ...others] = callbackParams.getAll('state');
    const login = others.length === 0 ? await this.findStored(state) : undefined;
    if (login === undefined || !isSameHash(login.browser, hashSecret(cookieOf(login.interaction) ?? '')))
      throw staleLogin();
    if (!(await this.database.transaction((tx) => consumeArtifact(tx, state)))) throw staleLogin();
    const redeemed = await this.provider.redeem(settings, callbackParams, { ...login, state });
    const userId = await this.logIn(settings, redeemed);
    this.audit.record(userId === undefined ? 'login_failed' : 'login_succeeded', source, userId ?? null, {
      issuer: settings.issuer,
    });
    if (userId === undefined) throw new LoginRefusedError();
    return { interaction: login.interaction, loginToken: await this.finished.add(login.interaction, userId) };
  }

  private settings(): OidcLogin {
    if (this.provider.settings === undefined) throw new ResourceNotFoundError('page');
    return this.provider.settings;
  }

  private async findStored(state: string): Promise<StoredLogin | undefined> {
    const found = await this.artifacts.find(state);
    if (found?.model !== MODEL || found.consumed_at !== null || found.expires_at <= Date.now()) return undefined;
    return JSON.parse(unseal(found.payload, state)) as StoredLogin;
  }

  private async logIn(settings: OidcLogin, { idToken, readUserInfo }: Redeemed): Promise<string | undefined> {
    const subject = subjectIn(idToken, settings);
    if (subject === undefined)
      throw providerFailed(new Error(`The claim "${settings.subjectClaim}" of the ID token identifies no person.`));
    const identity = { issuer: settings.issuer, subject };
    const isFirst = !(await this.identityUsers.isKnown(identity));
    const claims = await completeClaims(idToken, settings, isFirst, readUserInfo);
    if (!hasRequiredClaims(claims, settings)) return undefined;
    return this.identityUsers.logIn({
      identity,
      usernameFor: (number) => usernameFor(claims, settings, number),
      role: roleIn(claims, settings, this.permissions.roles),
      setsRole: settings.syncRole && hasRoleClaim(claims, settings),
    });
  }
}

/** True if the client requires a new login even if the browser is logged in. OpenID Connect Core 1.0 §3.1.2.1 */
function requiresLogin(payload: string): boolean {
  const { params } = JSON.parse(payload) as { readonly params?: { readonly prompt?: string } };
  return (params?.prompt ?? '').split(' ').includes('login');
}

/** 400: the login is unknown, expired, used or of another browser. */
function staleLogin(): MalformedRequestError {
  return new MalformedRequestError('The login session is unknown or expired, was used, or belongs to another browser.');
}

/** 403: the identity provider knows the person, but this service does not admit the person. */
class LoginRefusedError extends ApiError {
  override readonly status = 403;
  override readonly code = 'login_refused';

  constructor() {
    super('Your account of the identity provider may not use this service. Ask its operator for access.');
  }
}
