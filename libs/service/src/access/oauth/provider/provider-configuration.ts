import { type Configuration, errors, type Grant, interactionPolicy, type KoaContextWithOIDC } from 'oidc-provider';
import { v7 as uuidv7 } from 'uuid';
import {
  ACCESS_TOKEN_SECONDS,
  BROWSER_SESSION_SECONDS,
  CODE_SECONDS,
  FIRST_PARTY,
  INTERACTION_SECONDS,
  REFRESH_TOKEN_SECONDS,
} from '../../credentials/tokens/lifetimes.js';
import { errorPage } from '../../credentials/pages/error-page.js';
import { isLoopback } from '../../credentials/clients/redirect-uris.js';
import type { ServerKeys } from '../../credentials/oauth/server-keys.js';
import type { AdapterParts } from './adapter-parts.js';
import { authorizationAdapter, clientAdapter } from './read-only-adapters.js';
import { OauthAdapter } from './oauth-adapter.js';

/** Paths relative to the base URL. SPEC §5.5 */
export const ROUTES = {
  authorization: '/oauth/authorize',
  token: '/oauth/token',
  revocation: '/oauth/revoke',
  introspection: '/oauth/introspect',
  jwks: '/oauth/jwks',
} as const;

/** Internal parameter that the controller sets to an invalid scope. oidc-provider then refuses the request. */
export const INVALID_SCOPE = 'items_invalid_scope';

/**
 * Configures OAuth 2.0 with codes and client credentials, mandatory PKCE, opaque tokens, rotating refresh tokens.
 * Unused features are switched off by name.
 * @see SPEC §5.5, RFC 9700
 */
export function providerConfiguration(
  parts: AdapterParts,
  keys: ServerKeys,
  basePath: string,
  { session, interaction, resume }: CookieNames,
): Configuration {
  const cookie = { signed: true, httpOnly: true, sameSite: 'lax', path: `${basePath}/oauth` } as const;
  return {
    adapter: (model) => {
      if (model === 'Client') return clientAdapter(parts);
      return model === 'Grant' ? authorizationAdapter(parts) : new OauthAdapter(model, parts);
    },
    routes: ROUTES,
    scopes: [...parts.permissions.scopes],
    responseTypes: ['code'],
    clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'none'],
    clientDefaults: { id_token_signed_response_alg: 'ES256' },
    enabledJWA: { idTokenSigningAlgValues: ['ES256'] },
    jwks: { keys: [keys.signing] },
    cookies: {
      keys: [keys.cookies],
      names: { session, interaction, resume },
      long: cookie,
      short: { ...cookie, path: undefined },
    },
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      introspection: { enabled: true, allowedPolicy: mayIntrospect },
      revocation: { enabled: true, allowedPolicy: mayRevoke },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      // Refuses every `resource` parameter. The controllers have already removed a `resource` that identifies this
      // service.
      resourceIndicators: {
        enabled: true,
        defaultResource: () => undefined,
        getResourceServerInfo: () => {
          throw new errors.InvalidTarget();
        },
      },
      rpInitiatedLogout: { enabled: false },
      userinfo: { enabled: false },
    },
    extraParams: {
      [INVALID_SCOPE]: (_ctx, value) => {
        if (value !== undefined) throw new errors.InvalidScope('a requested scope does not exist', value);
      },
    },
    pkce: { required: () => true },
    allowOmittingSingleRegisteredRedirectUri: false,
    clientBasedCORS: () => false,
    issueRefreshToken: (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    rotateRefreshToken: () => true,
    revokeGrantPolicy: () => true,
    expiresWithSession: () => false,
    clockTolerance: 0,
    ttl: {
      AccessToken: ACCESS_TOKEN_SECONDS,
      ClientCredentials: ACCESS_TOKEN_SECONDS,
      AuthorizationCode: CODE_SECONDS,
      RefreshToken: REFRESH_TOKEN_SECONDS,
      Grant: REFRESH_TOKEN_SECONDS,
      Session: BROWSER_SESSION_SECONDS,
      Interaction: INTERACTION_SECONDS,
      IdToken: ACCESS_TOKEN_SECONDS,
    },
    loadExistingGrant: (ctx) => grantOf(parts, ctx),
    findAccount: async (_ctx, id) =>
      (await parts.accounts.findEnabled(id)) && { accountId: id, claims: () => ({ sub: id }) },
    interactions: {
      policy: policy(),
      url: (_ctx, { uid }) => `${basePath}/oauth/interaction/${uid}`,
    },
    renderError: (ctx, out) => {
      ctx.type = 'text/html; charset=utf-8';
      ctx.body = errorPage(out);
    },
  };
}

interface Client {
  readonly clientId: string;
  readonly clientAuthMethod?: string | undefined;
}

interface Token {
  readonly clientId?: string | undefined;
}

/** Lets an authenticated client introspect only its own tokens. RFC 7662 §4 */
function mayIntrospect(_ctx: unknown, client: Client, token: Token): boolean {
  if (client.clientAuthMethod === 'none')
    throw new errors.InvalidClientAuth('a client without a secret cannot authenticate');
  return client.clientId === token.clientId;
}

/**
 * Lets a client revoke only its own tokens. For another client's token, a public client gets the response for an
 * unknown token, because public clients cannot authenticate. RFC 7009 §2.1
 */
function mayRevoke(_ctx: unknown, client: Client, token: Token): boolean {
  if (token.clientId === client.clientId) return true;
  if (client.clientAuthMethod === 'none') return false;
  throw new errors.InvalidRequest('client is not authorized to revoke the presented token');
}

/**
 * Requires consent for each loopback redirect of registered public clients. Any local program may receive the redirect,
 * and only the user can recognize the application. RFC 8252 §8.6
 */
const LOOPBACK = new interactionPolicy.Check(
  'loopback',
  'native clients require End-User interaction',
  ({ oidc: { client, params, result } }) =>
    client?.clientAuthMethod === 'none' &&
    client.clientId !== FIRST_PARTY &&
    isLoopback(String(params?.['redirect_uri'])) &&
    !result?.consent,
);

/** Shows the login page, not the consent page, to a disabled user with a browser session. */
function policy(): interactionPolicy.DefaultPolicy {
  const prompts = interactionPolicy.base();
  const gone = new interactionPolicy.Check(
    'account_gone',
    'End-User authentication is required',
    ({ oidc }) => oidc.session?.accountId !== undefined && oidc.account === undefined,
  );
  prompts.get('login')?.checks.add(gone);
  const consent = prompts.get('consent')?.checks;
  consent?.remove('native_client_prompt');
  consent?.add(LOOPBACK);
  return prompts;
}

/** `providerPrefix`: prefix of cookies that bind logins at the identity provider to their browser. */
export type CookieNames = Readonly<Record<'session' | 'interaction' | 'resume' | 'providerPrefix', string>>;

/** The names differ from those of other services on the same host. */
export function cookieNames(serviceName: string): CookieNames {
  return {
    session: `${serviceName}_login`,
    interaction: `${serviceName}_page`,
    resume: `${serviceName}_resume`,
    providerPrefix: `${serviceName}_provider_`,
  };
}

/** Finds the grant of the user. A first-party page needs no approval, because each login creates a grant. SPEC §5.5 */
async function grantOf(parts: AdapterParts, { oidc }: KoaContextWithOIDC): Promise<Grant | undefined> {
  const { client, account, provider, result, session } = oidc;
  if (client?.clientId !== FIRST_PARTY) {
    const id = result?.consent?.grantId ?? session?.grantIdFor(client?.clientId ?? '');
    return id === undefined ? undefined : provider.Grant.find(id);
  }
  const user = account === undefined ? undefined : await parts.accounts.find(account.accountId);
  if (user === undefined) return undefined;
  const { scopes } = parts.permissions;
  const grant = new provider.Grant({ accountId: user.id, clientId: FIRST_PARTY });
  // Sets the id here, because the grant is stored later, together with the code.
  grant.jti = uuidv7();
  grant.addOIDCScope(scopes.filter((scope) => user.scopes.has(scope)).join(' '));
  grant.rejectOIDCScope(scopes.filter((scope) => !user.scopes.has(scope)).join(' '));
  return grant;
}
