import { Lifecycle } from '../../http/connections/lifecycle.js';
import { type DynamicModule, Module } from '@nestjs/common';

import type { Composition } from '../composition/composition.js';
import { auditController } from './audit.controller.js';
import type { EventReaders } from './event-readers.js';
import { eventsController } from './events.controller.js';

export interface FeedParts {
  /** Ends long polls when the server stops. */
  readonly lifecycle: Lifecycle;
  /** Checks the access of a long poll again after the wait. */
  readonly access: DynamicModule;
  readonly readers: EventReaders;
  readonly auditTypes: readonly string[];
}

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
