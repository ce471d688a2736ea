import { Lifecycle } from '../../http/connections/lifecycle.js';
import { type DynamicModule, Module } from '@nestjs/common';

import type { Composition } from '../composition/composition.js';
import { auditController } from './audit.controller.js';
import type { EventReaders } from './event-readers.js';
import { eventsController } from './events.controller.js';

/** Parts of the service that the feed uses. */
export interface FeedParts {
  /** Lifecycle of the server. Long polls get a response when the server stops. */
  readonly lifecycle: Lifecycle;
  /** Checks the access of a long poll again after the wait. */
  readonly access: DynamicModule;
  readonly readers: EventReaders;
  /** Types of audit events of all collections. */
  readonly auditTypes: readonly string[];
}

/** Serves the feed of events and the audit. SPEC §6.1 */
@Module({})
export class EventsModule {
  static forRoot(events: Composition['events'], { lifecycle, access, readers, auditTypes }: FeedParts): DynamicModule {
    return {
      module: EventsModule,
      imports: [access],
      controllers: [eventsController(readers, events), auditController(auditTypes)],
      providers: [{ provide: Lifecycle, useValue: lifecycle }],
    };
  }
}
