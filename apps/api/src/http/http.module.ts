import { type DynamicModule, Global, Module } from '@nestjs/common';

import { Lifecycle } from './lifecycle.js';

/** What features need to know of the server that they run in. */
@Global()
@Module({})
export class HttpModule {
  static with(lifecycle: Lifecycle): DynamicModule {
    return { module: HttpModule, providers: [{ provide: Lifecycle, useValue: lifecycle }], exports: [Lifecycle] };
  }
}
