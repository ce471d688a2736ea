import { ConfigError } from '../settings/config-error.js';
import type { Config } from './config.js';

type LoginSettings = Pick<
  Config,
  'authMethods' | 'console' | 'firstPartyRedirects' | 'oauthIssuers' | 'oidcLogin' | 'passwordLogin'
>;

const NEED_BEARER = [
  ['OIDC_LOGIN', ({ oidcLogin }: LoginSettings): boolean => oidcLogin !== undefined],
  ['OAUTH_ISSUERS', ({ oauthIssuers }: LoginSettings): boolean => oauthIssuers.length > 0],
  ['FIRST_PARTY_REDIRECTS', ({ firstPartyRedirects }: LoginSettings): boolean => firstPartyRedirects.length > 0],
] as const;

/**
 * If passwords are off, disables Basic and the password form. Without bearer tokens, disables the console.
 * @throws {ConfigError} settings contradict each other.
 */
export function waysToLogIn(settings: LoginSettings): LoginSettings {
  const { passwordLogin, oidcLogin } = settings;
  const authMethods = settings.authMethods.filter((method) => passwordLogin || method !== 'basic');
  if (!passwordLogin && oidcLogin === undefined)
    throw new ConfigError('PASSWORD_LOGIN', 'can be off only with OIDC_LOGIN: nobody could log in', 'on');
  const hasBearer = authMethods.includes('bearer');
  for (const [name, isSet] of NEED_BEARER) {
    if (!hasBearer && isSet(settings))
      throw new ConfigError(name, 'needs "bearer" in AUTH_METHODS; unset one of the two', "''");
  }
  return {
    ...settings,
    authMethods,
    console: settings.console && hasBearer,
    oidcLogin: oidcLogin && { ...oidcLogin, only: oidcLogin.only || !passwordLogin },
  };
}
