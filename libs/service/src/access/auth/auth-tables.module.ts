import { type DynamicModule, Module } from '@nestjs/common';

import { Permissions } from '../principal/permissions.js';
import { AccessTable } from './access-table.js';
import { AuthStrategies } from './strategies/auth-strategies.js';

@Module({})
export class AuthTablesModule {
  static forRoot(permissions: Permissions, strategies: AuthStrategies, access: AccessTable): DynamicModule {
    const providers = [
      { provide: Permissions, useValue: permissions },
      { provide: AuthStrategies, useValue: strategies },
      { provide: AccessTable, useValue: access },
    ];
    return { module: AuthTablesModule, global: true, providers, exports: providers.map(({ provide }) => provide) };
  }
}
