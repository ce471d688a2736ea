import { type DynamicModule, Global, Module } from '@nestjs/common';

import { Audit } from './audit.js';
import { LOG, type Log } from './log.js';

/** Makes the log injectable everywhere: `@Inject(LOG) log: Log`, and the audit log: `audit: Audit`. */
@Global()
@Module({})
export class LoggingModule {
  static with(log: Log): DynamicModule {
    return { module: LoggingModule, providers: [{ provide: LOG, useValue: log }, Audit], exports: [LOG, Audit] };
  }
}
