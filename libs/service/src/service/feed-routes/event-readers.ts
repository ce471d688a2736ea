import type { Scope } from '@items/dtos/contract';
import { InsufficientScopeError } from '@items/conventions';
import { kindsOf } from '../../feed/event-kinds.js';
import type { Visibility } from '../../feed/visibility.js';
import type { DescribedEvents } from '../../document/description/event-webhooks.js';

import type { ComposedCollection, Composition } from '../composition/composition.js';
import type { Permissions } from '../../access/principal/permissions.js';
import type { Principal } from '../../access/principal/principal.js';
import { userCollection } from '../../access/users/user.collection.js';
import { webhookCollection } from '../../webhooks/routes/webhook.collection.js';
import { StartRefusedError } from '../../data/definition/start-refused.js';

interface Readers extends DescribedEvents {
  readonly scope: Scope;
  /** Only administrators see the events of other users. */
  readonly ownOnly: boolean;
}

/** A credential that may read a resource may also read its events. SPEC §6.1 */
export class EventReaders {
  readonly scopes: [Scope, ...Scope[]];
  readonly kinds: readonly string[];
  readonly readers: readonly Readers[];

  constructor({ modules }: Pick<Composition, 'modules'>, permissions: Pick<Permissions, 'isScope'>) {
    this.readers = [
      ...modules.flatMap(({ collection }) => readersOf(collection, permissions)),
      { collection: userCollection, kinds: kindsOf(userCollection), scope: 'users:read', ownOnly: true },
      { collection: webhookCollection, kinds: kindsOf(webhookCollection), scope: 'webhooks:manage', ownOnly: false },
    ];
    this.scopes = this.readers.map(({ scope }) => scope) as [Scope, ...Scope[]];
    this.kinds = this.readers.flatMap(({ kinds }) => kinds);
  }

  visibilityOf({ scopes, isAdmin, userId }: Pick<Principal, 'scopes' | 'isAdmin' | 'userId'>): Visibility {
    const readable = this.readers.filter(({ scope }) => scopes.has(scope));
    const isOwn = ({ ownOnly }: Readers): boolean => ownOnly && !isAdmin;
    return {
      all: readable.filter((readers) => !isOwn(readers)).flatMap(({ kinds }) => kinds),
      own: readable.filter(isOwn).flatMap(({ kinds }) => kinds),
      userId,
    };
  }

  /** @throws {InsufficientScopeError} 403: a requested kind needs a scope that the credential does not have. */
  requireKinds(types: readonly string[], { scopes }: Principal): void {
    for (const { kinds, scope } of this.readers) {
      if (!scopes.has(scope) && kinds.some((kind) => types.includes(kind))) throw new InsufficientScopeError(scope);
    }
  }
}

/**
 * Events need the read scope of their collection. If members belong to users, only administrators read events of other
 * users.
 * @throws {StartRefusedError} the scope does not exist.
 */
export function readersOf(
  collection: ComposedCollection,
  { isScope }: Pick<Permissions, 'isScope'>,
): readonly Readers[] {
  const kinds = kindsOf(collection);
  if (kinds.length === 0) return [];
  const scope = `${collection.name.replaceAll('_', '-')}:read`;
  if (!isScope(scope)) {
    throw new StartRefusedError(
      `The collection "${collection.name}" creates events, but no scope allows reading them: add the scope "${scope}" to its contract.`,
    );
  }
  const { events } = collection;
  return [{ collection, kinds, scope, ownOnly: typeof events === 'object' && events.owner !== undefined }];
}
