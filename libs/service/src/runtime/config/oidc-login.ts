import type { Role, Scope } from '@items/dtos/contract';
import { isSafeAddress } from '../issuers/trusted-issuer.js';
import { ConfigError } from '../settings/config-error.js';
import { isText, objectOf, parseJson } from '../settings/json.js';
import { type Variable } from '../settings/variable.js';

export interface KnownNames {
  isScope(text: unknown): text is Scope;
  isRole(text: unknown): text is Role;
}

export interface OidcLogin {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly name: string;
  readonly scopes: string;
  readonly subjectClaim: string;
  readonly usernameClaim: string;
  /** Dots lead into nested claims; undefined: the provider sends no role. */
  readonly roleClaim: string | undefined;
  readonly roleMap: ReadonlyMap<string, Role>;
  /** Null: a login without a role is refused. */
  readonly defaultRole: Role | null;
  /** Accepted values by claim. All claims are required. */
  readonly require: ReadonlyMap<string, readonly RequiredValue[]>;
  readonly syncRole: boolean;
  readonly only: boolean;
}

export type RequiredValue = string | number | boolean;

const EXAMPLE = `'{"issuer":"https://login.example.com/realms/shop","client_id":"items","client_secret":"…","name":"Example"}'`;
const DEFAULT_SCOPES = 'openid profile email';
const MAX_ISSUER_LENGTH = 512;

type Roles = Pick<KnownNames, 'isRole'>;

const MEMBERS = {
  issuer: (value: unknown) =>
    isText(value) && value.length <= MAX_ISSUER_LENGTH && isSafeAddress(value) ? value : undefined,
  client_id: textOnly,
  client_secret: textOnly,
  name: textOnly,
  scopes: (value: unknown = DEFAULT_SCOPES) => scopesOf(value),
  subject_claim: (value: unknown = 'sub') => textOnly(value),
  username_claim: (value: unknown = 'preferred_username') => textOnly(value),
  role_claim: (value: unknown = null) => (value === null ? null : textOnly(value)),
  role_map: (value: unknown = {}, { isRole }: Roles) => roleMapOf(value, isRole),
  default_role: (value: unknown = 'viewer', { isRole }: Roles) => (value === null || isRole(value) ? value : undefined),
  require: (value: unknown = {}) => requiredOf(value),
  sync_role: flagOnly,
  only: flagOnly,
} as const;

type Read<Name extends keyof typeof MEMBERS> = Exclude<ReturnType<(typeof MEMBERS)[Name]>, undefined>;

/** @returns undefined if the variable is unset. @throws {ConfigError} names the invalid member. */
export function oidcLogin({ name: variable, value }: Variable, roles: Roles): OidcLogin | undefined {
  if (value === undefined) return undefined;
  const fail = (problem: string): never => {
    throw new ConfigError(variable, problem, EXAMPLE);
  };
  const given =
    objectOf(parseJson(value)) ?? fail('must be a JSON object with issuer, client_id, client_secret and name');
  const unknown = Object.keys(given).find((member) => !Object.hasOwn(MEMBERS, member));
  if (unknown !== undefined) fail(`has a member "${unknown}" that does not exist`);
  const read = <Name extends keyof typeof MEMBERS>(member: Name): Read<Name> => {
    const found = MEMBERS[member](given[member], roles);
    return found === undefined ? fail(`needs another value of "${member}"`) : (found as Read<Name>);
  };
  const roleMap = read('role_map');
  const roleClaim = read('role_claim');
  if (roleClaim === null && roleMap.size > 0) fail('has a "role_map" without a "role_claim"');
  return {
    issuer: read('issuer'),
    clientId: read('client_id'),
    clientSecret: read('client_secret'),
    name: read('name'),
    scopes: read('scopes'),
    subjectClaim: read('subject_claim'),
    usernameClaim: read('username_claim'),
    roleClaim: roleClaim ?? undefined,
    roleMap,
    defaultRole: read('default_role'),
    require: read('require'),
    syncRole: read('sync_role'),
    only: read('only'),
  };
}

function textOnly(value: unknown): string | undefined {
  return isText(value) ? value : undefined;
}

function flagOnly(value: unknown = false): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined;
}

function scopesOf(value: unknown): string | undefined {
  const words = [value].flat();
  if (words.length === 0 || !words.every(isText)) return undefined;
  return [...new Set(['openid', ...words.join(' ').split(' ')])].filter((word) => word !== '').join(' ');
}

function entriesOf(value: unknown): (readonly [string, unknown])[] | undefined {
  const object = objectOf(value);
  return object && Object.entries(object);
}

function roleMapOf(value: unknown, isRole: Roles['isRole']): ReadonlyMap<string, Role> | undefined {
  const entries = entriesOf(value);
  return entries?.every((entry): entry is readonly [string, Role] => isRole(entry[1])) ? new Map(entries) : undefined;
}

function requiredOf(value: unknown): ReadonlyMap<string, readonly RequiredValue[]> | undefined {
  const entries = entriesOf(value)?.map(([claim, values]) => [claim, [values].flat()] as const);
  const isUsable = entries?.every(
    ([, values]) => values.length > 0 && values.every((one) => ['string', 'number', 'boolean'].includes(typeof one)),
  );
  return isUsable === true ? new Map(entries as [string, RequiredValue[]][]) : undefined;
}
