import type { Identity, User } from '@items/dtos/contract';
import { MAX_CREDENTIAL_BODY_BYTES } from '@items/conventions';
import { CreateUserDto, IdentityDto, PasswordChangeDto, ReplaceUserDto } from '@items/dtos';
import { JsonBody } from '../../http/nest/json-body.js';
import { DescribesCollection } from '../../document/description/describes-collection.js';
import { Operation } from '../../document/description/operation.js';
import { Controller, Delete, Get, HttpCode, Param, Post, Put } from '@nestjs/common';
import { Exchange, HttpExchange } from '../exchange/http-exchange.js';
import {
  AdminOnly,
  Caller,
  EndsAccess,
  FirstParty,
  OwnerOrAdmin,
  PathOwner,
  RequireScope,
} from '../auth/decorators.js';
import { Owner } from '../auth/ownership.js';
import type { Principal } from '../principal/principal.js';
import { OwnPasswordService } from './own-password.service.js';
import { userCollection } from './user.collection.js';
import { changePasswordOperation, linkOperation, unlinkOperation, userDescription } from './user.openapi.js';
import { IdentityUsersService } from './identity-users.service.js';
import { UsersService } from './users.service.js';

/** Id `me` means the user of the credential. SPEC §2.2, §5.2 */
@Controller('users')
@DescribesCollection(userCollection, userDescription)
export class UsersController {
  constructor(
    private readonly users: UsersService,
    private readonly ownPassword: OwnPasswordService,
    private readonly identityUsers: IdentityUsersService,
  ) {}

  @Get()
  @RequireScope('users:read')
  @AdminOnly()
  async list(@Exchange('with query') exchange: HttpExchange): Promise<object> {
    return exchange.list(await this.users.rows.list(exchange.listRequest(this.users.listRules), exchange.path));
  }

  @Post()
  @RequireScope('users:write')
  @AdminOnly()
  async create(
    @Exchange() exchange: HttpExchange,
    @Caller() caller: Principal,
    @JsonBody(CreateUserDto, MAX_CREDENTIAL_BODY_BYTES) input: CreateUserDto,
  ): Promise<User> {
    const repeatable = exchange.repeatable(await this.users.fingerprintOf(input, exchange.source));
    return exchange.created(await this.users.create(caller, input, exchange.path, repeatable, exchange.source));
  }

  @Get(':id')
  @RequireScope('users:read')
  @OwnerOrAdmin('id')
  async get(
    @Exchange() exchange: HttpExchange,
    @Caller() caller: Principal,
    @Param('id') name: string,
    @PathOwner() { id }: Owner,
  ): Promise<User | undefined> {
    const user = await this.users.rows.get(id);
    if (name !== 'me') return exchange.tagged(user);
    return exchange.tagged({ resource: { ...user.resource, scopes: [...caller.scopes].sort() }, etag: user.etag });
  }

  @Put(':id')
  @RequireScope('users:write')
  @OwnerOrAdmin('id')
  async replace(
    @Exchange() exchange: HttpExchange,
    @Caller() caller: Principal,
    @PathOwner() { id }: Owner,
    @JsonBody(ReplaceUserDto, MAX_CREDENTIAL_BODY_BYTES) input: ReplaceUserDto,
  ): Promise<User> {
    return exchange.replaced(await this.users.replace(caller, id, input, exchange.precondition, exchange.source));
  }

  @Delete(':id')
  @RequireScope('users:write')
  @OwnerOrAdmin('id')
  @HttpCode(204)
  remove(@Exchange() exchange: HttpExchange, @PathOwner() { id }: Owner): Promise<void> {
    return this.users.remove(id, exchange.precondition, exchange.source);
  }

  @Put(':id/identity')
  @RequireScope('users:write')
  @AdminOnly()
  @Operation(linkOperation)
  link(
    @Exchange() exchange: HttpExchange,
    @Caller() caller: Principal,
    @Param('id') name: string,
    @JsonBody(IdentityDto) identity: IdentityDto,
  ): Promise<Identity> {
    return this.identityUsers.link(caller, Owner.named(name, caller).id, identity, exchange.source);
  }

  @Delete(':id/identity')
  @RequireScope('users:write')
  @AdminOnly()
  @HttpCode(204)
  @Operation(unlinkOperation)
  unlink(@Exchange() exchange: HttpExchange, @Caller() caller: Principal, @Param('id') name: string): Promise<void> {
    return this.identityUsers.unlink(Owner.named(name, caller).id, exchange.source);
  }

  @Put('me/password')
  @FirstParty()
  @EndsAccess()
  @HttpCode(204)
  @Operation(changePasswordOperation)
  changePassword(
    @Exchange() exchange: HttpExchange,
    @Caller() caller: Principal,
    @JsonBody(PasswordChangeDto, MAX_CREDENTIAL_BODY_BYTES) change: PasswordChangeDto,
  ): Promise<void> {
    return this.ownPassword.change(caller, change, exchange.source);
  }
}
