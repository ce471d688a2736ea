import { type DynamicModule, Module } from '@nestjs/common';

import { Permissions } from './permissions.js';

@Module({})
export class PermissionsModule {
  static forRoot(permissions: Permissions): DynamicModule {
    return {
      module: PermissionsModule,
      global: true,
      providers: [{ provide: Permissions, useValue: permissions }],
      exports: [Permissions],
    };
  }
}
