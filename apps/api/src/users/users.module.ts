import { Module } from '@nestjs/common';

import { AccountsModule } from '../accounts/accounts.module.js';
import { CollectionsModule } from '../collections/collections.module.js';
import { OwnPasswordService } from './own-password.service.js';
import { userCollection } from './user.collection.js';
import { UsersController } from './users.controller.js';
import { UsersService } from './users.service.js';

/** The collection of users. SPEC §2 */
@Module({
  imports: [AccountsModule, CollectionsModule.of(userCollection)],
  controllers: [UsersController],
  providers: [UsersService, OwnPasswordService],
})
export class UsersModule {}
