import type { Role } from '@items/dtos/contract';
import { claimOf } from '../../outside-tokens/token-claims.js';
import type { OidcLogin } from '../../../runtime/config/oidc-login.js';
import { isSubject } from '../../accounts/identities.js';

export type Claims = Readonly<Record<string, unknown>>;

const MAX_USERNAME_LENGTH = 64;
const MIN_USERNAME_LENGTH = 3;
const MAX_NAME_LENGTH = 255;

/**
 * Reads the claims that a login needs. Claims of the ID token take precedence over claims of UserInfo.
 * @param isFirst True if the login creates a user.
 * @param readUserInfo Called if a claim is missing in the ID token.
 */
export async function completeClaims(
  idToken: Claims,
  settings: OidcLogin,
  isFirst: boolean,
  readUserInfo: () => Promise<Claims>,
): Promise<Claims> {
  const { usernameClaim, roleClaim, require } = settings;
  const neededNames = [
    ...(isFirst ? [usernameClaim] : []),
    ...(roleClaim === undefined ? [] : [roleClaim]),
    ...require.keys(),
  ];
  const isMissing = neededNames.some((name) => (claimOf(idToken, name) ?? null) === null);
  const userInfo = isMissing ? await readUserInfo() : {};
  return Object.fromEntries(
    neededNames.map((name) => [name, claimOf(idToken, name) ?? claimOf(userInfo, name) ?? undefined]),
  );
}

/** @returns Undefined if the ID token identifies no person, or if its subject cannot be stored. */
export function subjectIn(idToken: Claims, { subjectClaim }: OidcLogin): string | undefined {
  const subject = claimOf(idToken, subjectClaim);
  return isSubject(subject) ? subject : undefined;
}

export function hasRequiredClaims(claims: Claims, { require }: OidcLogin): boolean {
  return [...require].every(([name, values]) => {
    const held: readonly unknown[] = [claimOf(claims, name)].flat();
    return values.some((value) => held.includes(value));
  });
}

/**
 * Returns the highest role that the provider assigns. If the provider assigns none, returns `defaultRole`.
 * @param allRoles The most powerful role last.
 * @returns Null if the person may not log in.
 */
export function roleIn(
  claims: Claims,
  { roleClaim, roleMap, defaultRole }: OidcLogin,
  allRoles: readonly Role[],
): Role | null {
  const claimValues: readonly unknown[] = roleClaim === undefined ? [] : [claimOf(claims, roleClaim)].flat();
  const roles = claimValues.map((value) => (typeof value === 'string' ? roleMap.get(value) : undefined));
  return allRoles.toReversed().find((role) => roles.includes(role)) ?? defaultRole;
}

export function hasRoleClaim(claims: Claims, { roleClaim }: OidcLogin): boolean {
  return roleClaim !== undefined && claimOf(claims, roleClaim) !== undefined;
}

/**
 * Builds a username from the claim. Removes accents, and replaces invalid characters with hyphens.
 * @param number Appended from 2 on.
 */
export function usernameFor(claims: Claims, { usernameClaim }: OidcLogin, number: number): string {
  const claim = claimOf(claims, usernameClaim);
  const text = typeof claim === 'string' ? claim.slice(0, MAX_NAME_LENGTH) : '';
  const words = text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .split(/[^a-z0-9._-]/)
    .filter((word) => word !== '');
  const name = words.join('-').slice(0, MAX_USERNAME_LENGTH);
  const long = name.length < MIN_USERNAME_LENGTH ? ['user', name].filter((part) => part !== '').join('-') : name;
  const suffix = number === 1 ? '' : `-${String(number)}`;
  return long.slice(0, MAX_USERNAME_LENGTH - suffix.length) + suffix;
}
