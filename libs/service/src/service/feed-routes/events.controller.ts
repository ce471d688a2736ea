import { Events } from '../../feed/events.js';
import { parseEventsQuery } from '../../feed/parse-events-query.js';
import type { FeedEvent } from '../../feed/event-feed.js';
import { Lifecycle } from '../../http/connections/lifecycle.js';
import { Operation } from '../../document/description/operation.js';
import { Controller, Get, Param, Req, type Type } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

import { AccessHook } from '../../access/auth/access.hook.js';
import { Caller, RequireAnyScope } from '../../access/auth/decorators.js';
import { Exchange, HttpExchange } from '../../access/exchange/http-exchange.js';
import type { Principal } from '../../access/principal/principal.js';
import type { EventTexts } from '../composition/composition.js';
import type { EventReaders } from './event-readers.js';
import { eventNotes } from './event.openapi.js';

/** Serves the feed, in one order for all readers. SPEC §6.1 */
export function eventsController(readers: EventReaders, texts: EventTexts): Type {
  const notes = eventNotes(readers, texts);

  @Controller('events')
  class EventsController {
    constructor(
      private readonly events: Events,
      private readonly access: AccessHook,
      private readonly lifecycle: Lifecycle,
    ) {}

    @Get()
    @RequireAnyScope(...readers.scopes)
    @Operation(notes.list)
    async list(
      @Exchange('with query') exchange: HttpExchange,
      @Caller() caller: Principal,
      @Req() request: FastifyRequest,
    ): Promise<object> {
      const { waitMs, ...query } = parseEventsQuery(exchange.query, readers.kinds);
      const { types = [] } = query;
      let known: Principal | undefined = caller;
      // The access hook has checked the first read. Check later reads here, because access may change during the wait.
      const visibility = async () => {
        const reader = known ?? (await this.access.checkAgain(request, readers.scopes));
        known = undefined;
        readers.requireKinds(types, reader);
        return readers.visibilityOf(reader);
      };
      const signals = [this.lifecycle.stopping, exchange.gone];
      const waiting = waitMs === 0 ? undefined : { waitMs, signals, onWait: exchange.rest };
      return exchange.list(await this.events.page({ ...query, ...exchange.slowReader }, visibility, waiting));
    }

    @Get(':id')
    @RequireAnyScope(...readers.scopes)
    @Operation(notes.get)
    async get(
      @Exchange() exchange: HttpExchange,
      @Caller() caller: Principal,
      @Param('id') id: string,
    ): Promise<FeedEvent | undefined> {
      const event = await this.events.get(id, readers.visibilityOf(caller));
      return exchange.tagged({ resource: event, etag: `"${event.id}"` });
    }
  }

  return EventsController;
}
