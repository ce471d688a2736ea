import { MalformedRequestError } from '@items/conventions';
import { hasValidText } from '../../outside-tokens/token-claims.js';
import { Inject, Injectable } from '@nestjs/common';
import * as oidc from 'openid-client';

import { CONFIG, type Config } from '../../../runtime/config/config.js';
import type { OidcLogin } from '../../../runtime/config/oidc-login.js';
import { fetchBounded } from '../../../runtime/issuers/fetch-bounded.js';
import { providerFailed, refusedByProvider } from './login-errors.js';
import type { Claims } from './provider-claims.js';

/** These values tie the provider's response to the request. */
export interface LoginChecks {
  readonly state: string;
  readonly nonce: string;
  /** Code verifier of PKCE. RFC 7636 */
  readonly verifier: string;
}

export interface Redeemed {
  readonly idToken: Claims;
  readonly readUserInfo: () => Promise<Claims>;
}

/** Time limit of all requests in one step of a login. */
const DEADLINE_MS = 5000;
const METADATA_MS = 10 * 60 * 1000;

/** A repeated parameter is refused. RFC 6749 §4.1.2, RFC 9207 */
const PARAMETERS = ['code', 'state', 'iss', 'error', 'error_description', 'error_uri', 'response'];

@Injectable()
export class IdentityProvider {
  private metadata: { readonly readAtMs: number; readonly server: oidc.ServerMetadata } | undefined;
  private readonly redirectUri: string;

  constructor(@Inject(CONFIG) private readonly config: Pick<Config, 'baseUrl' | 'oidcLogin'>) {
    this.redirectUri = `${config.baseUrl}/oauth/login/callback`;
  }

  get settings(): OidcLogin | undefined {
    return this.config.oidcLogin;
  }

  /** Origins for `form-action` of a page, without a request to the provider. */
  get origins(): readonly string[] {
    const { settings, metadata } = this;
    if (settings === undefined) return [];
    const addresses = [settings.issuer, metadata?.server.authorization_endpoint ?? settings.issuer];
    return [...new Set(addresses.map((address) => new URL(address).origin))];
  }

  /** @param again Requires a new login at the provider, where the person may choose another account. */
  async address(settings: OidcLogin, { state, nonce, verifier }: LoginChecks, again: boolean): Promise<URL> {
    return this.asking(async (signal) => {
      const configuration = await this.configuration(settings, signal);
      return oidc.buildAuthorizationUrl(configuration, {
        redirect_uri: this.redirectUri,
        scope: settings.scopes,
        response_mode: 'query',
        state,
        nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        ...(again && { prompt: 'login' }),
      });
    });
  }

  /**
   * Redeems the code from the browser, and verifies the ID token.
   * @param answer The query, whose `state` belongs to this browser.
   */
  async redeem(settings: OidcLogin, answer: URLSearchParams, checks: LoginChecks): Promise<Redeemed> {
    return this.asking(async (signal) => {
      const configuration = await this.configuration(settings, signal);
      requireOwnAnswer(answer, configuration.serverMetadata());
      const { state, nonce, verifier } = checks;
      const tokens = await oidc.authorizationCodeGrant(configuration, this.callbackWith(answer), {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      });
      if (!hasValidText(tokens.id_token ?? '')) throw new Error('The ID token is not valid UTF-8.');
      const idToken: Claims = { ...tokens.claims() };
      const subject = String(idToken['sub']);
      return { idToken, readUserInfo: () => this.userInfo(settings, tokens.access_token, subject) };
    });
  }

  /**
   * @returns No claims without a UserInfo endpoint.
   * @throws {ServiceUnavailableError} 503: also for a different `sub`.
   */
  private async userInfo(settings: OidcLogin, accessToken: string, subject: string): Promise<Claims> {
    return this.asking(async (signal) => {
      const configuration = await this.configuration(settings, signal);
      if (configuration.serverMetadata().userinfo_endpoint === undefined) return {};
      return { ...(await oidc.fetchUserInfo(configuration, accessToken, subject)) };
    });
  }

  private callbackWith(answer: URLSearchParams): URL {
    const url = new URL(this.redirectUri);
    url.search = answer.toString();
    return url;
  }

  private async asking<Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    try {
      return await work(AbortSignal.timeout(DEADLINE_MS));
    } catch (error) {
      if (error instanceof MalformedRequestError) throw error;
      throw isCodeRefused(error) ? refusedByProvider() : providerFailed(error);
    }
  }

  /** Each step fetches the provider's keys again, and its requests share one deadline. */
  private async configuration(settings: OidcLogin, signal: AbortSignal): Promise<oidc.Configuration> {
    const server = await this.serverMetadata(settings, signal);
    const { clientId, clientSecret } = settings;
    const configuration = new oidc.Configuration(server, clientId, undefined, proof(server, clientSecret));
    for (const set of setUp(settings, signal)) set(configuration);
    return configuration;
  }

  private async serverMetadata(settings: OidcLogin, signal: AbortSignal): Promise<oidc.ServerMetadata> {
    const nowMs = performance.now();
    if (this.metadata === undefined || nowMs - this.metadata.readAtMs > METADATA_MS) {
      const found = await oidc.discovery(new URL(settings.issuer), settings.clientId, undefined, undefined, {
        execute: isPlain(settings) ? [allowPlainHttp] : [],
        [oidc.customFetch]: fetchUntil(signal),
      });
      this.metadata = { readAtMs: nowMs, server: found.serverMetadata() };
    }
    return this.metadata.server;
  }
}

/** Needed for a provider on this machine. The library marks it as deprecated only as a warning. */
// eslint-disable-next-line @typescript-eslint/no-deprecated
const allowPlainHttp = oidc.allowInsecureRequests;

function isPlain({ issuer }: OidcLogin): boolean {
  return issuer.startsWith('http:');
}

function fetchUntil(signal: AbortSignal): oidc.CustomFetch {
  return (url, options) => fetchBounded(url, { ...options, signal } as RequestInit);
}

/** openid-client then verifies the signature of the ID token even if it came directly from the provider. */
function setUp(settings: OidcLogin, signal: AbortSignal): readonly ((configuration: oidc.Configuration) => void)[] {
  return [
    (configuration) => {
      configuration[oidc.customFetch] = fetchUntil(signal);
    },
    oidc.enableNonRepudiationChecks,
    ...(isPlain(settings) ? [allowPlainHttp] : []),
  ];
}

/** Every provider must accept HTTP Basic unless its metadata omits it. RFC 6749 §2.3.1 */
function proof(
  { token_endpoint_auth_methods_supported: methods }: oidc.ServerMetadata,
  secret: string,
): oidc.ClientAuth {
  const isBasic = methods === undefined || methods.includes('client_secret_basic');
  return isBasic ? oidc.ClientSecretBasic(secret) : oidc.ClientSecretPost(secret);
}

function requireOwnAnswer(answer: URLSearchParams, server: oidc.ServerMetadata): void {
  const isNamed = server.authorization_response_iss_parameter_supported === true;
  const issuer = answer.get('iss');
  const isOther = issuer === null ? isNamed : issuer !== server.issuer;
  const isTwice = PARAMETERS.some((name) => answer.getAll(name).length > 1);
  if (isOther || isTwice || answer.has('response') || answer.has('error') || !answer.get('code')) {
    throw refusedByProvider();
  }
}

/** An unknown or used code is an error of the browser's request. RFC 6749 §5.2 */
function isCodeRefused(error: unknown): boolean {
  return error instanceof oidc.ResponseBodyError && error.error === 'invalid_grant';
}
