import { auditTypesOf } from '../events/event-kinds.js';

import { apiKeyCollection } from '../api-keys/api-key.collection.js';
import type { Composition } from '../composition/composition.js';
import { grantCollection } from '../oauth/authorizations/grant.collection.js';
import { sessionCollection } from '../oauth/authorizations/session.collection.js';
import { clientCollection } from '../oauth/clients/client.collection.js';
import { userCollection } from '../users/user.collection.js';
import { webhookCollection } from '../webhooks/webhook.collection.js';

/** All types of audit events. */
export function auditTypes({ modules }: Pick<Composition, 'modules'>): readonly string[] {
  return [
    ...modules.map(({ collection }) => auditTypesOf(collection)),
    ...[userCollection, webhookCollection, apiKeyCollection, clientCollection].map(auditTypesOf),
    ...[sessionCollection, grantCollection].map(auditTypesOf),
  ].flat();
}
