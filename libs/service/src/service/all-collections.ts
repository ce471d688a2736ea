import type { CountedCollection } from '../data/writes/recount.js';
import type { AuditedCollection } from '../feed/event-kinds.js';

import { apiKeyCollection } from '../access/api-keys/api-key.collection.js';
import type { Composition } from './composition/composition.js';
import { grantCollection } from '../access/oauth/authorizations/grant.collection.js';
import { sessionCollection } from '../access/oauth/authorizations/session.collection.js';
import { clientCollection } from '../access/oauth/clients/client.collection.js';
import { userCollection } from '../access/users/user.collection.js';
import { deliveryCollection } from '../webhooks/routes/delivery.collection.js';
import { webhookCollection } from '../webhooks/routes/webhook.collection.js';

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
