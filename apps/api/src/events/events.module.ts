import { Lifecycle } from '@items/http';
import { type DynamicModule, Module } from '@nestjs/common';

import { EventsController } from './events.controller.js';

/** The feed of what happened. SPEC §6.1 */
@Module({ controllers: [EventsController] })
export class EventsModule {
  /** @param lifecycle of the server: who waits is answered when it stops. @param auth judges again who has waited. */
  static forRoot(lifecycle: Lifecycle, auth: DynamicModule): DynamicModule {
    return { module: EventsModule, imports: [auth], providers: [{ provide: Lifecycle, useValue: lifecycle }] };
  }
}
