import { Lifecycle } from '../../http/connections/lifecycle.js';
import { type DynamicModule, Module } from '@nestjs/common';

import type { Composition } from '../composition/composition.js';
import { auditController } from './audit.controller.js';
import type { EventReaders } from './event-readers.js';
import { eventsController } from './events.controller.js';

/** What the feed needs of the service. */
export interface FeedParts {
  /** Of the server: who waits is answered when it stops. */
  readonly lifecycle: Lifecycle;
  /** Judges again who has waited. */
  readonly access: DynamicModule;
  readonly readers: EventReaders;
  /** Of all collections. */
  readonly auditTypes: readonly string[];
}

/** The feed of what happened. SPEC §6.1 */
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
