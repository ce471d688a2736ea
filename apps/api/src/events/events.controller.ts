import { Events, parseEventsQuery, type FeedEvent } from '@items/events';
import { Lifecycle } from '@items/http';
import { Operation } from '@items/openapi';
import { Controller, Get, Param, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

import { Caller } from '../auth/caller.js';
import { RequireAnyScope } from '../auth/require-any-scope.js';
import { StandingAccess } from '../auth/standing-access.js';
import { Exchange, HttpExchange } from '../http/http-exchange.js';
import type { Principal } from '../principal/principal.js';
import { EVENT_KINDS, EVENT_SCOPES, requireKinds, visibilityOf } from './event-readers.js';
import { eventNotes, eventsNotes } from './event.openapi.js';

/** What happened, in one order for everybody. Read only. SPEC §6.1 */
@Controller('events')
export class EventsController {
  constructor(
    private readonly events: Events,
    private readonly standing: StandingAccess,
    private readonly lifecycle: Lifecycle,
  ) {}

  @Get()
  @RequireAnyScope(...EVENT_SCOPES)
  @Operation(eventsNotes)
  async list(
    @Exchange('with query') exchange: HttpExchange,
    @Caller() caller: Principal,
    @Req() request: FastifyRequest,
  ): Promise<object> {
    const { waitMs, ...asked } = parseEventsQuery(exchange.query, EVENT_KINDS);
    const { types = [] } = asked;
    let known: Principal | undefined = caller;
    // Judged once more for every page that follows: the caller may have waited for it.
    const visibility = async () => {
      const reader = known ?? (await this.standing.require(request, EVENT_SCOPES));
      known = undefined;
      requireKinds(types, reader);
      return visibilityOf(reader);
    };
    const waiting = waitMs === 0 ? undefined : { waitMs, signals: [this.lifecycle.stopping, exchange.gone] };
    return exchange.list(await this.events.page(asked, visibility, waiting));
  }

  @Get(':id')
  @RequireAnyScope(...EVENT_SCOPES)
  @Operation(eventNotes)
  async get(
    @Exchange() exchange: HttpExchange,
    @Caller() caller: Principal,
    @Param('id') id: string,
  ): Promise<FeedEvent | undefined> {
    const event = await this.events.get(id, visibilityOf(caller));
    return exchange.tagged({ resource: event, etag: `"${event.id}"` });
  }
}
