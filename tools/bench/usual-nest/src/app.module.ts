import { ClassSerializerInterceptor, type DynamicModule, Module, ValidationPipe } from '@nestjs/common';
import { APP_GUARD, APP_INTERCEPTOR, APP_PIPE } from '@nestjs/core';
import { PassportModule } from '@nestjs/passport';
import { ThrottlerGuard, ThrottlerModule } from '@nestjs/throttler';

import { ItemsController } from './items.controller.js';
import { KeyStrategy } from './key.strategy.js';
import { repositoriesOf } from './repositories.js';

/** A service as Nest's documentation recommends, without changes that affect its speed. */
@Module({})
export class AppModule {
  static on(file: string): DynamicModule {
    return {
      module: AppModule,
      imports: [PassportModule, ThrottlerModule.forRoot([{ ttl: 60_000, limit: 1_000_000_000 }])],
      controllers: [ItemsController],
      providers: [
        ...repositoriesOf(file),
        KeyStrategy,
        { provide: APP_GUARD, useClass: ThrottlerGuard },
        { provide: APP_PIPE, useValue: new ValidationPipe({ transform: true, whitelist: true }) },
        { provide: APP_INTERCEPTOR, useClass: ClassSerializerInterceptor },
      ],
    };
  }
}
