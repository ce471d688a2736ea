import { Controller, Delete, Get, Param } from '@nestjs/common';

import { Authenticated } from '../../auth/authenticated.js';
import { Caller } from '../../auth/caller.js';
import type { Principal } from '../../auth/principal.js';
import { Exchange, HttpExchange } from '../../http/http-exchange.js';
import { Operation } from '../../openapi/description/operation.js';
import { grantCollection } from './grant.collection.js';
import { listGrantsNotes, removeGrantNotes } from './grant.notes.js';
import { GrantsService } from './grants.service.js';

/** What a user has approved, for himself to see and to take back. SPEC §5 OAuth 2.0 */
@Controller('users/me/grants')
export class GrantsController {
  constructor(private readonly grants: GrantsService) {}

  @Get()
  @Authenticated()
  @Operation(listGrantsNotes)
  async list(@Exchange('with query') exchange: HttpExchange, @Caller() caller: Principal): Promise<object> {
    return exchange.list(await this.grants.list(caller, exchange.listRequest(grantCollection), exchange.path));
  }

  @Delete(':id')
  @Authenticated()
  @Operation(removeGrantNotes)
  async remove(
    @Exchange() exchange: HttpExchange,
    @Caller() caller: Principal,
    @Param('id') id: string,
  ): Promise<undefined> {
    await this.grants.remove(caller, id, exchange.precondition, exchange.source);
    return exchange.deleted();
  }
}
