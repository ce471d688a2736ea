import { Events } from '../../feed/events.js';
import { ConventionsModule } from '../../http/nest/conventions.module.js';
import { inBackground } from '../../http/nest/in-background.js';
import { type CollectionOf, collectionToken } from '../../http/nest/collection-token.js';
import { Database } from '../../data/database/database.js';
import { DeliveryPurge } from '../deliveries/delivery-purge.js';
import { Dispatcher } from '../dispatch/dispatcher.js';
import { SecretBox } from '../definition/secret-box.js';
import { WebhookSender } from '../sending/webhook-sender.js';
import {
  type DynamicModule,
  Inject,
  Logger,
  Module,
  type OnApplicationShutdown,
  type OnModuleInit,
  type Provider,
} from '@nestjs/common';

import { CONFIG, type Config } from '../../runtime/config/config.js';
import { Permissions } from '../../access/principal/permissions.js';
import { AttemptCounts } from './attempt-counts.js';
import { DeliveriesController } from './deliveries.controller.js';
import { DeliveriesService } from './deliveries.service.js';
import { deliveryCollection } from './delivery.collection.js';
import { creatorRights, WEBHOOK_OPTIONS, type WebhookOptions } from './creator-rights.js';
import { webhookCollection } from './webhook.collection.js';
import { WebhookRowsModule } from './webhook-rows.module.js';
import { WebhooksController } from './webhooks.controller.js';
import { WebhooksService } from './webhooks.service.js';

const USER_AGENT = 'Items-Webhooks/1.0';

type Webhooks = CollectionOf<typeof webhookCollection>;
type Deliveries = CollectionOf<typeof deliveryCollection>;

const providers: readonly Provider[] = [
  AttemptCounts,
  {
    provide: SecretBox,
    inject: [Database, CONFIG],
    useFactory: (database: Database, { webhooks }: Config) => SecretBox.of(database, webhooks.keys),
  },
  {
    provide: WebhookSender,
    inject: [CONFIG],
    useFactory: ({ webhooks: { allow, dns } }: Config) => new WebhookSender({ allow, dns }),
  },
  {
    provide: Dispatcher,
    inject: [
      ...[CONFIG, WEBHOOK_OPTIONS, Permissions, Database, Events, WebhookSender, SecretBox, AttemptCounts],
      ...[collectionToken(webhookCollection), collectionToken(deliveryCollection)],
    ],
    useFactory: (
      { webhooks: { policy }, versions, oauthIssuers }: Config,
      { kinds, visibilityOf }: WebhookOptions,
      permissions: Permissions,
      database: Database,
      events: Events,
      sender: WebhookSender,
      secrets: SecretBox,
      counts: AttemptCounts,
      webhooks: Webhooks,
      deliveries: Deliveries,
    ) =>
      new Dispatcher({
        database,
        events,
        webhooks,
        deliveries,
        sender,
        secrets,
        kinds,
        policy,
        rights: () => creatorRights(database, permissions, visibilityOf, oauthIssuers),
        inVersion: (event, version) => versions.eventIn(event, version),
        onAttempt: (result) => (counts[result] += 1),
        userAgent: USER_AGENT,
        log: new Logger(Dispatcher.name),
      }),
  },
  inBackground(Dispatcher),
  {
    provide: DeliveryPurge,
    inject: [Database, collectionToken(deliveryCollection), CONFIG],
    useFactory: (database: Database, deliveries: Deliveries, { events }: Config) =>
      new DeliveryPurge(database, deliveries, new Logger(DeliveryPurge.name), events.keptMs, events.partitionMs),
  },
  inBackground(DeliveryPurge),
];

@Module({
  imports: [WebhookRowsModule, ConventionsModule.forFeature(deliveryCollection)],
  controllers: [WebhooksController, DeliveriesController],
  providers: [...providers, DeliveriesService, WebhooksService],
  exports: [AttemptCounts],
})
export class WebhooksModule implements OnModuleInit, OnApplicationShutdown {
  constructor(
    @Inject(WebhookSender) private readonly sender: WebhookSender,
    @Inject(DeliveryPurge) private readonly purge: DeliveryPurge,
  ) {}

  static forRoot(options: WebhookOptions): DynamicModule {
    return { module: WebhooksModule, providers: [{ provide: WEBHOOK_OPTIONS, useValue: options }] };
  }

  onModuleInit(): Promise<void> {
    return this.purge.prepare();
  }

  onApplicationShutdown(): Promise<void> {
    return this.sender.close();
  }
}
