import type { User } from '@items/contracts';
import { CreateUserDto, PasswordChangeDto, ReplaceUserDto } from '@items/dtos';
import { ResourceNotFoundError } from '@items/errors';
import { Controller, Delete, Get, Param, Post, Put } from '@nestjs/common';

import { Caller } from '../auth/caller.js';
import { FirstParty } from '../auth/first-party.js';
import { AdminOnly, OwnUser } from '../auth/own-user.js';
import { userOf } from '../auth/ownership.js';
import type { Principal } from '../auth/principal.js';
import { RequireScope } from '../auth/require-scope.js';
import { Exchange, HttpExchange } from '../http/http-exchange.js';
import { JsonBody } from '../http/json-body.js';
import { DescribesCollection } from '../openapi/description/describes-collection.js';
import { Operation } from '../openapi/description/operation.js';
import { OwnPasswordService, WRONG_PASSWORD } from './own-password.service.js';
import { userCollection } from './user.collection.js';
import { userNotes } from './user.notes.js';
import { UsersService } from './users.service.js';

/** `me` as an id is the user whose credential it is. decisions §2, authentication.md "Scopes and roles" */
@Controller('users')
@DescribesCollection(userCollection, userNotes)
export class UsersController {
  constructor(
    private readonly users: UsersService,
    private readonly ownPassword: OwnPasswordService,
  ) {}

  @Get()
  @RequireScope('users:read')
  @AdminOnly()
  async list(@Exchange('with query') exchange: HttpExchange): Promise<object> {
    return exchange.list(await this.users.users.list(exchange.listRequest(userCollection), exchange.path));
  }

  @Post()
  @RequireScope('users:write')
  @AdminOnly()
  async create(
    @Exchange() exchange: HttpExchange,
    @Caller() caller: Principal,
    @JsonBody(CreateUserDto) input: CreateUserDto,
  ): Promise<User> {
    const repeatable = exchange.repeatable(await this.users.fingerprintOf(input));
    return exchange.created(await this.users.create(caller, input, exchange.path, repeatable, exchange.source));
  }

  @Get(':id')
  @RequireScope('users:read')
  @OwnUser('id')
  async get(
    @Exchange() exchange: HttpExchange,
    @Caller() caller: Principal,
    @Param('id') id: string,
  ): Promise<User | undefined> {
    return exchange.tagged(await this.users.users.get(userOf(caller, id)));
  }

  @Put(':id')
  @RequireScope('users:write')
  @OwnUser('id')
  async replace(
    @Exchange() exchange: HttpExchange,
    @Caller() caller: Principal,
    @Param('id') id: string,
    @JsonBody(ReplaceUserDto) input: ReplaceUserDto,
  ): Promise<User> {
    const user = userOf(caller, id);
    return exchange.replaced(await this.users.replace(caller, user, input, exchange.precondition, exchange.source));
  }

  @Delete(':id')
  @RequireScope('users:write')
  @OwnUser('id')
  async remove(
    @Exchange() exchange: HttpExchange,
    @Caller() caller: Principal,
    @Param('id') id: string,
  ): Promise<void> {
    await this.users.remove(userOf(caller, id), exchange.precondition, exchange.source);
    exchange.deleted();
  }

  @Put('me/password')
  @FirstParty()
  @Operation({
    tag: 'Users',
    id: 'changeOwnPassword',
    summary: 'Change the own password',
    description: "Ends the user's other sessions.",
    ending: 'done',
    errors: [new ResourceNotFoundError('user'), WRONG_PASSWORD],
  })
  async changePassword(
    @Exchange() exchange: HttpExchange,
    @Caller() caller: Principal,
    @JsonBody(PasswordChangeDto) change: PasswordChangeDto,
  ): Promise<void> {
    await this.ownPassword.change(caller, change, exchange.source);
    exchange.done();
  }
}
