import { Module } from '@nestjs/common';

import { AccountsModule } from '../accounts/accounts.module.js';
import { Owners } from './owners.js';

/** Provides {@link Owners} to the collections below `/users/{user_id}`. SPEC §2 */
@Module({ imports: [AccountsModule], providers: [Owners], exports: [Owners] })
export class OwnersModule {}
