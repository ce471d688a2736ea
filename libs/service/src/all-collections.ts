import type { CountedCollection } from './collections/recount.js';
import type { AuditedCollection } from './events/event-kinds.js';

import { apiKeyCollection } from './api-keys/api-key.collection.js';
import type { Composition } from './composition/composition.js';
import { grantCollection } from './oauth/authorizations/grant.collection.js';
import { sessionCollection } from './oauth/authorizations/session.collection.js';
import { clientCollection } from './oauth/clients/client.collection.js';
import { userCollection } from './users/user.collection.js';
import { deliveryCollection } from './webhooks/delivery.collection.js';
import { webhookCollection } from './webhooks/webhook.collection.js';

/** Every collection that has a table of its own, for what is done with all of them. */
export function allCollections({
  modules,
}: Pick<Composition, 'modules'>): readonly (CountedCollection & AuditedCollection)[] {
  return [
    ...modules.flatMap(({ collection, others = [] }) => [collection, ...others]),
    userCollection,
    webhookCollection,
    apiKeyCollection,
    clientCollection,
    sessionCollection,
    grantCollection,
    deliveryCollection,
  ];
}
