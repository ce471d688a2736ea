import { Operation } from '../../../document/description/operation.js';
import { Controller, Delete, Get, HttpCode, Param, UseGuards } from '@nestjs/common';
import { Exchange, HttpExchange } from '../../exchange/http-exchange.js';
import { CallerGuard } from '../../auth/caller-guard.js';
import { Authenticated, Caller, EndsAccess } from '../../auth/decorators.js';
import { Accounts } from '../../accounts/accounts.js';
import type { Principal } from '../../principal/principal.js';
import { grantCollection } from '../authorizations/grant.collection.js';
import { listGrantsOperation, removeGrantOperation } from './grant.openapi.js';
import { GrantsService } from './grants.service.js';

@Controller('users/me/grants')
export class GrantsController {
  constructor(private readonly grants: GrantsService) {}

  @Get()
  @Authenticated()
  @Operation(listGrantsOperation)
  async list(@Exchange('with query') exchange: HttpExchange, @Caller() caller: Principal): Promise<object> {
    return exchange.list(await this.grants.list(caller, exchange.listRequest(grantCollection), exchange.path));
  }

  @Delete(':id')
  @Authenticated()
  @EndsAccess()
  @UseGuards(CallerGuard(Accounts, (accounts, caller) => accounts.requireWholeLogin(caller)))
  @Operation(removeGrantOperation)
  @HttpCode(204)
  remove(@Exchange() exchange: HttpExchange, @Caller() caller: Principal, @Param('id') id: string): Promise<void> {
    return this.grants.remove(caller, id, exchange.precondition, exchange.source);
  }
}
