import type {
  CreatedWebhook,
  Delivery,
  DeliveryStatus,
  Grant,
  Replay,
  ReplayInput,
  Webhook,
  WebhookInput,
} from '@items/dtos/contract';
import type { ApiCall } from '../calls/api-call.js';
import type { CreateOptions } from '../client-options.js';
import { collection, create, type Collection } from '../collections/collection.js';
import { pathPart, type Between, type OneOrMore } from '../collections/list-query.js';
import { secretCollection, type SecretCollection } from '../collections/resources.js';
import { sourceOf } from '../collections/reach.js';
import type { ItemsClient } from '../create-client.js';

export interface DeliveryFilters {
  readonly status?: OneOrMore<DeliveryStatus> | undefined;
  readonly type?: OneOrMore<string> | undefined;
}

/** `/webhooks/{id}/deliveries`. SPEC §6.2 */
export interface Deliveries extends Pick<
  Collection<'deliveries', Delivery, never, DeliveryFilters>,
  'get' | 'page' | 'walk'
> {
  /** Sends a delivery again immediately. @throws {ConflictError} `webhook_disabled`. */
  attempt(id: string, options?: CreateOptions): ApiCall<Delivery>;
}

/** `/webhooks`, for administrators. SPEC §6.2 */
export interface Webhooks extends SecretCollection<
  'webhooks',
  Webhook,
  WebhookInput,
  CreatedWebhook,
  Between<'created_at', string>
> {
  deliveries(id: string): Deliveries;
  /** Sends a `webhook.ping`, even if the webhook is disabled. */
  ping(id: string, options?: CreateOptions): ApiCall<Delivery>;
  /** Sends all events after a position again. @throws {ConflictError} `webhook_disabled`. */
  replay(id: string, input: ReplayInput, options?: CreateOptions): ApiCall<Replay>;
}

/** `/users/me/grants`: the applications that the current user has approved. SPEC §5 */
export type Grants = Pick<Collection<'grants', Grant, never>, 'delete' | 'page' | 'walk'>;

export interface AdminResources {
  readonly webhooks: Webhooks;
  readonly grants: Grants;
}

/**
 * Uses the credential of the given client.
 * @throws {TypeError} The argument was not returned by `createClient`.
 */
export function adminResources(client: ItemsClient): AdminResources {
  const reach = sourceOf(client.items)?.reach;
  if (reach === undefined) throw new TypeError('adminResources needs a client of createClient.');
  const send = <T extends object>(path: string, input: object, options?: CreateOptions): ApiCall<T> =>
    create<T>(reach.transport, path, input, options);
  const pathOf = (id: string): string => `webhooks/${pathPart(id)}`;
  return {
    webhooks: {
      ...secretCollection<'webhooks', Webhook, WebhookInput, CreatedWebhook, Between<'created_at', string>>(
        reach,
        'webhooks',
      ),
      deliveries: (id) => {
        const path = `${pathOf(id)}/deliveries`;
        return {
          ...collection<'deliveries', Delivery, never, DeliveryFilters>(reach, path),
          attempt: (delivery, options) => send(`${path}/${pathPart(delivery)}/attempts`, {}, options),
        };
      },
      ping: (id, options) => send(`${pathOf(id)}/pings`, {}, options),
      replay: (id, input, options) => send(`${pathOf(id)}/replays`, input, options),
    },
    grants: collection<'grants', Grant, never>(reach, 'users/me/grants'),
  };
}
