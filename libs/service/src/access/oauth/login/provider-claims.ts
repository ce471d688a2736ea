import type { Role } from '@items/dtos/contract';
import { claimOf } from '../../outside-tokens/token-scopes.js';

import type { OidcLogin } from '../../../runtime/config/oidc-login.js';
import { isSubject } from '../../accounts/identities.js';

/** Claims of an identity provider about a person. */
export type Claims = Readonly<Record<string, unknown>>;

const MAX_USERNAME_LENGTH = 64;
const MIN_USERNAME_LENGTH = 3;
/** Maximum length of the claim from which a username is made. */
const MAX_NAME_LENGTH = 255;

/**
 * Names the claims that the UserInfo endpoint may complete.
 * @param isFirst whether the login creates a user.
 */
function completedClaims({ usernameClaim, roleClaim, require }: OidcLogin, isFirst: boolean): readonly string[] {
  return [...(isFirst ? [usernameClaim] : []), ...(roleClaim === undefined ? [] : [roleClaim]), ...require.keys()];
}

/**
 * Returns the claims that a login reads, by their names in the configuration. Claims of the ID token win.
 * @param isFirst whether the login creates a user.
 * @param readUserInfo requests UserInfo; called if a claim is missing in the ID token.
 */
export async function completeClaims(
  idToken: Claims,
  settings: OidcLogin,
  isFirst: boolean,
  readUserInfo: () => Promise<Claims>,
): Promise<Claims> {
  const names = completedClaims(settings, isFirst);
  const isMissing = names.some((name) => valueOf(idToken, name) === undefined);
  const userInfo = isMissing ? await readUserInfo() : {};
  return Object.fromEntries(names.map((name) => [name, valueOf(idToken, name) ?? valueOf(userInfo, name)]));
}

/** @returns undefined for a claim that is missing or null. */
function valueOf(claims: Claims, name: string): unknown {
  return claimOf(claims, name) ?? undefined;
}

/** @returns undefined if the ID token does not identify a person, or its subject cannot be stored. */
export function subjectIn(idToken: Claims, { subjectClaim }: OidcLogin): string | undefined {
  const subject = claimOf(idToken, subjectClaim);
  return isSubject(subject) ? subject : undefined;
}

/** Whether each required claim has one of the required values. */
export function hasRequired(claims: Claims, { require }: OidcLogin): boolean {
  return [...require].every(([name, values]) => {
    const held: readonly unknown[] = [claimOf(claims, name)].flat();
    return values.some((value) => held.includes(value));
  });
}

/**
 * Returns the highest role that the provider assigns, or the default role without one.
 * @param allRoles of the service, least first.
 * @returns null if the person may not log in.
 */
export function roleIn(
  claims: Claims,
  { roleClaim, roleMap, defaultRole }: OidcLogin,
  allRoles: readonly Role[],
): Role | null {
  const said: readonly unknown[] = roleClaim === undefined ? [] : [claimOf(claims, roleClaim)].flat();
  const roles = said.map((word) => (typeof word === 'string' ? roleMap.get(word) : undefined));
  return allRoles.toReversed().find((role) => roles.includes(role)) ?? defaultRole;
}

/** Whether the claims contain a role. */
export function saysRole(claims: Claims, { roleClaim }: OidcLogin): boolean {
  return roleClaim !== undefined && claimOf(claims, roleClaim) !== undefined;
}

/**
 * Returns a username: the letters of the claim without accents, with a hyphen for characters that usernames cannot
 * contain.
 * @param number from 1 on; appended from 2 on, so that each number gives a different name.
 */
export function usernameFor(claims: Claims, { usernameClaim }: OidcLogin, number: number): string {
  const said = claimOf(claims, usernameClaim);
  const text = typeof said === 'string' ? said.slice(0, MAX_NAME_LENGTH) : '';
  const words = text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .split(/[^a-z0-9._-]/)
    .filter((word) => word !== '');
  const name = words.join('-').slice(0, MAX_USERNAME_LENGTH);
  const long = name.length < MIN_USERNAME_LENGTH ? ['user', name].filter((part) => part !== '').join('-') : name;
  const ending = number === 1 ? '' : `-${String(number)}`;
  return long.slice(0, MAX_USERNAME_LENGTH - ending.length) + ending;
}
