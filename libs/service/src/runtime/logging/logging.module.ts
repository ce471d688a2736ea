import { ConfigurableModuleBuilder, Global, Module } from '@nestjs/common';

import { Audit } from './audit.js';
import { LOG, type Log } from './log.js';

const { ConfigurableModuleClass } = new ConfigurableModuleBuilder<Log>({ optionsInjectionToken: LOG })
  .setClassMethodName('forRoot')
  .build();

/** Makes the log (`@Inject(LOG) log: Log`) and the audit log (`audit: Audit`) injectable in all modules. */
@Global()
@Module({ providers: [Audit], exports: [LOG, Audit] })
export class LoggingModule extends ConfigurableModuleClass {}
