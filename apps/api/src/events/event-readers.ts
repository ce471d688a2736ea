import type { Scope } from '@items/contracts';
import { InsufficientScopeError } from '@items/errors';
import { kindsOf, type Visibility } from '@items/events';
import type { DescribedEvents } from '@items/openapi';

import { itemCollection } from '../items/item.collection.js';
import { orderCollection } from '../orders/order.collection.js';
import type { Principal } from '../principal/principal.js';
import { userCollection } from '../users/user.collection.js';
import { webhookCollection } from '../webhooks/webhook.collection.js';

interface Readers extends DescribedEvents {
  readonly scope: Scope;
  /** Whether only administrators see those that are not their own. */
  readonly ownOnly: boolean;
}

/** Who may read which events: who may read the resources. SPEC §6.1 */
const READERS: readonly Readers[] = [
  { collection: itemCollection, kinds: kindsOf(itemCollection), scope: 'items:read', ownOnly: false },
  { collection: orderCollection, kinds: kindsOf(orderCollection), scope: 'orders:read', ownOnly: true },
  { collection: userCollection, kinds: kindsOf(userCollection), scope: 'users:read', ownOnly: true },
  { collection: webhookCollection, kinds: kindsOf(webhookCollection), scope: 'webhooks:manage', ownOnly: false },
];

/** Every collection that tells of its changes, and the kinds of its events. */
export const EMITTERS: readonly DescribedEvents[] = READERS;

/** One of them lets a credential read some events. */
export const EVENT_SCOPES = ['items:read', 'orders:read', 'users:read', 'webhooks:manage'] as const;

/** All kinds of events. */
export const EVENT_KINDS = READERS.flatMap(({ kinds }) => kinds);

/** What a credential may see. */
export function visibilityOf({
  scopes,
  isAdmin,
  userId,
}: Pick<Principal, 'scopes' | 'isAdmin' | 'userId'>): Visibility {
  const readable = READERS.filter(({ scope }) => scopes.has(scope));
  const isOwn = ({ ownOnly }: Readers): boolean => ownOnly && !isAdmin;
  return {
    all: readable.filter((readers) => !isOwn(readers)).flatMap(({ kinds }) => kinds),
    own: readable.filter(isOwn).flatMap(({ kinds }) => kinds),
    userId,
  };
}

/** @throws {InsufficientScopeError} 403: a kind is asked for by name whose scope the credential does not have. */
export function requireKinds(types: readonly string[], { scopes }: Principal): void {
  for (const { kinds, scope } of READERS) {
    if (!scopes.has(scope) && kinds.some((kind) => types.includes(kind))) throw new InsufficientScopeError(scope);
  }
}
