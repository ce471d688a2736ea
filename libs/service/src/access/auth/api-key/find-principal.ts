import type { Role, Scope } from '@items/dtos/contract';
import type { RateLimit } from '@items/conventions';
import { isSameHash } from '../../credentials/secrets/secret.js';
import { isIssuerTrusted, type TrustedIssuer } from '../../../runtime/issuers/trusted-issuer.js';
import type { Database } from '../../../data/database/database.js';
import { countsAsAdmin, delegableScopes, effectiveScopes } from '../../principal/rights.js';
import type { Principal } from '../../principal/principal.js';
import type { Permissions } from '../../principal/permissions.js';

interface Row {
  readonly hash: string;
  readonly secret_expires_at: number | null;
  readonly id: string;
  readonly scopes: string;
  readonly expires_at: number | null;
  readonly rate_limit: string | null;
  readonly allowed_origins: string | null;
  readonly user_id: string | null;
  readonly client_id: string | null;
  readonly client_scopes: string | null;
  /** Issuer whose token created the application. */
  readonly client_issuer: string | null;
  readonly role: Role | null;
  readonly disabled: number | null;
}

const BY_HASH = `
  SELECT s.hash, s.expires_at AS secret_expires_at, k.id, k.scopes, k.expires_at, k.rate_limit, k.allowed_origins,
    k.user_id, k.client_id, c.scopes AS client_scopes,
    c.issuer AS client_issuer, u.role, u.disabled
  FROM api_key_secrets s JOIN api_keys k ON k.id = s.api_key_id LEFT JOIN users u ON u.id = k.user_id
    LEFT JOIN clients c ON c.id = k.client_id
  WHERE s.hash = $1`;

export interface FoundPrincipal {
  readonly principal: Principal;
  readonly expiresAt: number | null;
}

/** Role of keys without a user. The admin key created these keys, and only their scopes limit them. */
const OPERATOR: Role = 'admin';

/** Returns null for an unknown or expired key, disabled user, deleted application or untrusted issuer. */
export async function findPrincipal(
  database: Database,
  permissions: Permissions,
  issuers: readonly TrustedIssuer[],
  hash: string,
): Promise<FoundPrincipal | null> {
  const [row] = await database.query<Row>(BY_HASH, [hash]);
  if (row === undefined || !isSameHash(row.hash, hash)) return null;
  const expiresAt = earlier(row.expires_at, row.secret_expires_at);
  if (expiresAt !== null && expiresAt <= Date.now()) return null;
  const role = row.user_id === null ? OPERATOR : row.role;
  if (role === null || row.disabled === 1) return null;
  if (row.client_id !== null && row.client_scopes === null) return null;
  if (!isIssuerTrusted(row.client_issuer, issuers)) return null;
  return { principal: principalOf(row, permissions, role), expiresAt };
}

function principalOf(row: Row, permissions: Permissions, role: Role): Principal {
  const delegatedTo = row.client_id ?? undefined;
  const ofRole = permissions.scopesOfRole(role);
  const granted = JSON.parse(row.client_scopes ?? '[]') as Scope[];
  const held = delegatedTo === undefined ? ofRole : effectiveScopes(granted, delegableScopes(ofRole));
  return {
    credentialId: row.id,
    kind: 'api-key',
    userId: row.user_id,
    isAdmin: countsAsAdmin(role, delegatedTo),
    scopes: effectiveScopes(JSON.parse(row.scopes) as Scope[], held),
    rateLimit: row.rate_limit === null ? null : (JSON.parse(row.rate_limit) as RateLimit),
    ...(delegatedTo !== undefined && { delegatedTo }),
    ...(row.allowed_origins !== null && { allowedOrigins: JSON.parse(row.allowed_origins) as string[] }),
  };
}

function earlier(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.min(one, other);
}
