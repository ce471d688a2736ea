import { ConventionsModule } from '../../http/nest/conventions.module.js';
import { Module } from '@nestjs/common';

import { AccountsModule } from '../accounts/accounts.module.js';
import { AccountChanges, ConfigurableUsersModule } from './account-changes.js';
import { FirstAdministratorService } from './first-administrator.service.js';
import { OwnPasswordService } from './own-password.service.js';
import { userCollection } from './user.collection.js';
import { UserIdentitiesService } from './user-identities.service.js';
import { PersonsService } from './persons.service.js';
import { UsersController } from './users.controller.js';
import { UsersService } from './users.service.js';

@Module({
  imports: [AccountsModule, ConventionsModule.forFeature(userCollection)],
  controllers: [UsersController],
  providers: [
    AccountChanges,
    FirstAdministratorService,
    UsersService,
    OwnPasswordService,
    PersonsService,
    UserIdentitiesService,
  ],
  exports: [FirstAdministratorService, PersonsService],
})
export class UsersModule extends ConfigurableUsersModule {}
