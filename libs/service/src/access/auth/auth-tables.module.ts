import { type DynamicModule, Module } from '@nestjs/common';

import { AccessTable } from './access-table.js';
import { AuthStrategies } from './strategies/auth-strategies.js';

@Module({})
export class AuthTablesModule {
  static forRoot(strategies: AuthStrategies, access: AccessTable): DynamicModule {
    const providers = [
      { provide: AuthStrategies, useValue: strategies },
      { provide: AccessTable, useValue: access },
    ];
    return { module: AuthTablesModule, global: true, providers, exports: [AuthStrategies, AccessTable] };
  }
}
