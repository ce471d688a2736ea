import { Module } from '@nestjs/common';

import { AccountsModule } from '../accounts/accounts.module.js';
import { Owners } from './owners.js';

@Module({ imports: [AccountsModule], providers: [Owners], exports: [Owners] })
export class OwnersModule {}
