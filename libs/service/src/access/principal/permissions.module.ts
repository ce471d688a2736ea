import { type DynamicModule, Module } from '@nestjs/common';

import { Permissions } from './permissions.js';

/** Makes the scopes and roles of the service injectable everywhere. */
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
