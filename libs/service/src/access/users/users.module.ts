import { ConventionsModule } from '../../http/nest/conventions.module.js';
import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { AccountChanges, ConfigurableUsersModule } from './account-changes.js';
import { OwnPasswordService } from './own-password.service.js';
import { userCollection } from './user.collection.js';
import { IdentityUsersService } from './identity-users.service.js';
import { UsersController } from './users.controller.js';
import { UsersService } from './users.service.js';

@Module({
  imports: [AccountsModule, ConventionsModule.forFeature(userCollection)],
  controllers: [UsersController],
  providers: [AccountChanges, OwnPasswordService, IdentityUsersService, UsersService],
  exports: [IdentityUsersService, UsersService],
})
export class UsersModule extends ConfigurableUsersModule {}
