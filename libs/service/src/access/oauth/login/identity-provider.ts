import { MalformedRequestError, ServiceUnavailableError } from '@items/conventions';
import { hasValidText } from '../../outside-tokens/token-claims.js';
import { Inject, Injectable } from '@nestjs/common';
import * as oidc from 'openid-client';
import { CONFIG, type Config } from '../../../runtime/config/config.js';
import type { OidcLogin } from '../../../runtime/config/oidc-login.js';
import { fetchBounded } from '../../../runtime/issuers/fetch-bounded.js';
import type { Claims } from './provider-claims.js';

/** Random values that bind the provider's response to the request. */
export interface LoginChecks {
  readonly state: string;
  readonly nonce: string;
  /** Code verifier of PKCE. RFC 7636 */
  readonly verifier: string;
}

export interface Redeemed {
  readonly idToken: Claims;
  /** @throws {ServiceUnavailableError} 503: the request failed, or the response has another `sub` than the ID token. */
  readonly readUserInfo: () => Promise<Claims>;
}

/** Time limit of one step of a login, for all its requests together. */
const DEADLINE_MS = 5000;
const METADATA_MS = 10 * 60 * 1000;

/** Parameters of the callback that must not be repeated. RFC 6749 §4.1.2, RFC 9207 */
const SINGLE_PARAMETERS = ['code', 'state', 'iss', 'error', 'error_description', 'error_uri', 'response'];

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

  /** Origins for the `form-action` of a page, from the settings and cached metadata. Sends no request. */
  get origins(): readonly string[] {
    const { settings, metadata } = this;
    if (settings === undefined) return [];
    const urls = [settings.issuer, metadata?.server.authorization_endpoint ?? settings.issuer];
    return [...new Set(urls.map((url) => new URL(url).origin))];
  }

  /** @param requiresLogin Requires a new login at the provider. The person may choose another account there. */
  async authorizationUrl(
    settings: OidcLogin,
    { state, nonce, verifier }: LoginChecks,
    requiresLogin: boolean,
  ): Promise<URL> {
    const challenge = await oidc.calculatePKCECodeChallenge(verifier);
    return this.withConfiguration(settings, (configuration) =>
      oidc.buildAuthorizationUrl(configuration, {
        redirect_uri: this.redirectUri,
        scope: settings.scopes,
        response_mode: 'query',
        state,
        nonce,
        code_challenge: challenge,
        code_challenge_method: 'S256',
        ...(requiresLogin && { prompt: 'login' }),
      }),
    );
  }

  /**
   * Redeems the code from the browser, and verifies the ID token.
   * @param callbackParams Query of the callback, with a `state` that the caller has checked.
   */
  async redeem(settings: OidcLogin, callbackParams: URLSearchParams, checks: LoginChecks): Promise<Redeemed> {
    return this.withConfiguration(settings, async (configuration) => {
      requireValidCallback(callbackParams, configuration.serverMetadata());
      const callback = new URL(`${this.redirectUri}?${callbackParams.toString()}`);
      const tokens = await oidc.authorizationCodeGrant(configuration, callback, {
        expectedState: checks.state,
        expectedNonce: checks.nonce,
        pkceCodeVerifier: checks.verifier,
        idTokenExpected: true,
      });
      if (!hasValidText(tokens.id_token ?? '')) throw new Error('The ID token is not valid UTF-8.');
      const idToken: Claims = { ...tokens.claims() };
      const subject = String(idToken['sub']);
      const readUserInfo = (): Promise<Claims> =>
        this.withConfiguration(settings, (fresh) => userInfo(fresh, tokens.access_token, subject));
      return { idToken, readUserInfo };
    });
  }

  /** Calls the provider with a new configuration, to fetch the keys again. */
  private async withConfiguration<Result>(
    settings: OidcLogin,
    work: (configuration: oidc.Configuration) => Result | Promise<Result>,
  ): Promise<Result> {
    try {
      return await work(await this.createConfiguration(settings, AbortSignal.timeout(DEADLINE_MS)));
    } catch (error) {
      if (error instanceof MalformedRequestError) throw error;
      throw isCodeRefused(error) ? refusedByProvider() : providerFailed(error);
    }
  }

  private async createConfiguration(settings: OidcLogin, signal: AbortSignal): Promise<oidc.Configuration> {
    const server = await this.serverMetadata(settings, signal);
    const { clientId, clientSecret } = settings;
    const configuration = new oidc.Configuration(server, clientId, undefined, clientAuth(server, clientSecret));
    configuration[oidc.customFetch] = fetchUntil(signal);
    // Verifies the signature even of an ID token that came directly from the provider.
    oidc.enableNonRepudiationChecks(configuration);
    if (isPlainHttp(settings)) allowPlainHttp(configuration);
    return configuration;
  }

  private async serverMetadata(settings: OidcLogin, signal: AbortSignal): Promise<oidc.ServerMetadata> {
    const nowMs = performance.now();
    if (this.metadata === undefined || nowMs - this.metadata.readAtMs > METADATA_MS) {
      const found = await oidc.discovery(new URL(settings.issuer), settings.clientId, undefined, undefined, {
        execute: isPlainHttp(settings) ? [allowPlainHttp] : [],
        [oidc.customFetch]: fetchUntil(signal),
      });
      this.metadata = { readAtMs: nowMs, server: found.serverMetadata() };
    }
    return this.metadata.server;
  }
}

/**
 * Allows plain HTTP, for a provider on this machine. openid-client marks this function as deprecated only as a warning.
 * A wrapper would fail, because `discovery()` compares the function itself.
 */
// oxlint-disable-next-line typescript/no-deprecated
const allowPlainHttp: (configuration: oidc.Configuration) => void = oidc.allowInsecureRequests;

function isPlainHttp({ issuer }: OidcLogin): boolean {
  return issuer.startsWith('http:');
}

function fetchUntil(signal: AbortSignal): oidc.CustomFetch {
  return (url, options) => fetchBounded(url, { ...options, signal } as RequestInit);
}

/** @returns An empty object if the provider has no UserInfo endpoint. */
async function userInfo(configuration: oidc.Configuration, accessToken: string, subject: string): Promise<Claims> {
  if (configuration.serverMetadata().userinfo_endpoint === undefined) return {};
  return { ...(await oidc.fetchUserInfo(configuration, accessToken, subject)) };
}

/**
 * Returns HTTP Basic, which every provider must accept (RFC 6749 §2.3.1). If the provider's metadata lists only other
 * methods, the secret is in the body.
 */
function clientAuth(
  { token_endpoint_auth_methods_supported: methods }: oidc.ServerMetadata,
  secret: string,
): oidc.ClientAuth {
  const isBasic = methods === undefined || methods.includes('client_secret_basic');
  return isBasic ? oidc.ClientSecretBasic(secret) : oidc.ClientSecretPost(secret);
}

function requireValidCallback(callbackParams: URLSearchParams, server: oidc.ServerMetadata): void {
  const namesIssuer = server.authorization_response_iss_parameter_supported === true;
  const issuer = callbackParams.get('iss');
  const isOtherIssuer = issuer === null ? namesIssuer : issuer !== server.issuer;
  const isRepeated = SINGLE_PARAMETERS.some((name) => callbackParams.getAll(name).length > 1);
  const isRefused = callbackParams.has('response') || callbackParams.has('error') || !callbackParams.get('code');
  if (isOtherIssuer || isRepeated || isRefused) throw refusedByProvider();
}

/**
 * True if the provider refused the code as unknown or used. The request caused this error, not the provider. RFC 6749
 * §5.2
 */
function isCodeRefused(error: unknown): boolean {
  return error instanceof oidc.ResponseBodyError && error.error === 'invalid_grant';
}

/** 400: the identity provider or the person has cancelled the login, or the callback is invalid. */
function refusedByProvider(): MalformedRequestError {
  return new MalformedRequestError('The identity provider did not log you in.');
}

/** 503: the identity provider is down, too slow or violates the protocol. The log contains the reason. */
export function providerFailed(cause: unknown): ServiceUnavailableError {
  const message = 'The identity provider did not answer as it should.';
  return new ServiceUnavailableError('identity_provider_unavailable', message, { cause });
}
