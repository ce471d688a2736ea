import { type DynamicModule, Module } from '@nestjs/common';
import { Maintenance } from '../../runtime/maintenance/maintenance-gate.js';
import { AccountsModule } from '../accounts/accounts.module.js';
import { ApiKeyAuthModule } from '../auth/api-key/api-key-auth.module.js';
import { ConsoleController } from './console.controller.js';
import { CONSOLE_OPTIONS, type ConsoleOptions } from './console-page.js';
import { SetupController } from './setup.controller.js';
import { SetupService } from './setup.service.js';

@Module({})
export class ConsoleModule {
  static with(users: DynamicModule, maintenance: Maintenance, options: ConsoleOptions): DynamicModule {
    return {
      module: ConsoleModule,
      imports: [AccountsModule, ApiKeyAuthModule, users],
      providers: [
        ConsoleController,
        SetupController,
        SetupService,
        { provide: Maintenance, useValue: maintenance },
        { provide: CONSOLE_OPTIONS, useValue: options },
      ],
    };
  }
}
