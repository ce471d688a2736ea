import { type DynamicModule, Module } from '@nestjs/common';

import { AuthStrategies } from './auth-strategies.js';

/** Makes the table of strategies injectable everywhere. */
@Module({})
export class AuthStrategiesModule {
  static forRoot(strategies: AuthStrategies): DynamicModule {
    return {
      module: AuthStrategiesModule,
      global: true,
      providers: [{ provide: AuthStrategies, useValue: strategies }],
      exports: [AuthStrategies],
    };
  }
}
