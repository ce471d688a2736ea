import type { Role, Scope } from '@items/dtos/contract';
import type { Visibility } from '../../feed/visibility.js';
import type { Database } from '../../data/database/database.js';
import { isRowId } from '../../data/schema/row-id.js';
import type { HiddenWebhook } from '../deliveries/delivery-rows.js';
import type { CreatorRights } from '../definition/creator-reach.js';

import { isIssuerTrusted, type TrustedIssuer } from '../../runtime/issuers/trusted-issuer.js';
import { countsAsAdmin, effectiveScopes } from '../../access/principal/rights.js';
import { ADMIN_KEY_ID, type Principal } from '../../access/principal/principal.js';
import type { Permissions } from '../../access/principal/permissions.js';

export type Reader = Pick<Principal, 'scopes' | 'isAdmin' | 'userId'>;

export interface WebhookOptions {
  readonly kinds: readonly string[];
  readonly visibilityOf: (reader: Reader) => Visibility;
}

export const WEBHOOK_OPTIONS = Symbol('WEBHOOK_OPTIONS');

interface Row {
  readonly id: string;
  readonly user_id: string | null;
  readonly key_id: string | null;
  readonly client_id: string | null;
  /** JSON of {@link Creator}. */
  readonly maker: string;
  readonly key_scopes: string | null;
  readonly key_expires_at: number | null;
  readonly client_scopes: string | null;
  readonly client_issuer: string | null;
  readonly role: Role | null;
  readonly disabled: number | null;
}

/** Rights of a credential when it created a webhook. */
interface Creator {
  readonly scopes: readonly Scope[];
  readonly is_admin: boolean;
  /** Null without an issuer; undefined if the webhook is older than this field. */
  readonly issuer?: string | null;
}

const CREATORS = `
  SELECT w.id, w.user_id, w.key_id, w.client_id, w.maker, k.scopes AS key_scopes, k.expires_at AS key_expires_at,
    c.scopes AS client_scopes, c.issuer AS client_issuer, u.role, u.disabled
  FROM webhooks w LEFT JOIN api_keys k ON k.id = w.key_id LEFT JOIN clients c ON c.id = w.client_id
    LEFT JOIN users u ON u.id = w.user_id`;

export function creatorOf(creator: Principal): Omit<HiddenWebhook, 'secrets'> {
  const { kind, credentialId, userId, scopes, isAdmin, issuer } = creator;
  const isClient = kind === 'bearer' && userId === null && isRowId(credentialId);
  const rights: Creator = { scopes: [...scopes], is_admin: isAdmin, issuer: issuer ?? null };
  return {
    user_id: userId,
    key_id: kind === 'api-key' && credentialId !== ADMIN_KEY_ID ? credentialId : null,
    client_id: isClient ? credentialId : null,
    maker: JSON.stringify(rights),
  };
}

/**
 * Returns the events that the creator of each webhook may read now. The limits are the current scopes of the key or
 * client, and the user's current role. A webhook outlives the login of its creator, but not the user. SPEC §6.2
 */
export async function creatorRights(
  database: Database,
  permissions: Permissions,
  visibilityOf: (reader: Reader) => Visibility,
  issuers: readonly TrustedIssuer[],
  nowMs = Date.now(),
): Promise<ReadonlyMap<string, CreatorRights>> {
  const rows = await database.query<Row>(CREATORS);
  return new Map(rows.map((row) => [row.id, rightsOf(row, permissions, visibilityOf, issuers, nowMs)]));
}

function rightsOf(
  row: Row,
  permissions: Permissions,
  visibilityOf: (reader: Reader) => Visibility,
  issuers: readonly TrustedIssuer[],
  nowMs: number,
): CreatorRights {
  const { user_id: userId, role } = row;
  const isGone = [
    userId !== null && role === null,
    row.key_id !== null && row.key_scopes === null,
    row.client_id !== null && row.client_scopes === null,
  ];
  if (isGone.includes(true)) return 'deleted';
  if (row.disabled === 1 || (row.key_expires_at ?? Infinity) <= nowMs) return 'silent';
  const creator = JSON.parse(row.maker) as Creator;
  if (!isCreatorTrusted(row, creator, issuers)) return 'silent';
  const held = role === null ? undefined : permissions.scopesOfRole(role);
  const granted = grantedScopes(row, creator);
  return visibilityOf({
    scopes: held === undefined ? new Set(granted) : effectiveScopes(granted, held),
    isAdmin: role === null ? creator.is_admin : countsAsAdmin(role),
    userId,
  });
}

function grantedScopes({ key_scopes: ofKey, client_scopes: ofClient }: Row, { scopes }: Creator): readonly Scope[] {
  if (ofKey !== null) return JSON.parse(ofKey) as Scope[];
  if (ofClient === null) return scopes;
  const allowed = JSON.parse(ofClient) as Scope[];
  return scopes.filter((scope) => allowed.includes(scope));
}

function isCreatorTrusted(row: Row, creator: Creator, issuers: readonly TrustedIssuer[]): boolean {
  const { issuer, is_admin: isAdmin } = creator;
  if (!isIssuerTrusted(row.client_issuer, issuers)) return false;
  if (issuer !== undefined) return isIssuerTrusted(issuer, issuers);
  // Older webhooks store no issuer. Webhooks of administrators, keys and clients need none.
  if (isAdmin || row.key_id !== null || row.client_id !== null) return true;
  // A token linked to a user cannot have `webhooks:manage`, so its older webhooks receive nothing. Other tokens get
  // this scope only through a `scope_map`. Their issuer is not stored, so any trusted issuer with such a map is enough.
  return row.user_id === null && issuers.some(mapsToWebhooks);
}

function mapsToWebhooks({ scopeMap }: TrustedIssuer): boolean {
  return [...(scopeMap?.values() ?? [])].some((scopes) => scopes.includes('webhooks:manage'));
}
