import { ConfigurableModuleBuilder, Global, Module } from '@nestjs/common';

import { Audit } from './audit.js';
import { LOG, type Log } from './log.js';

const { ConfigurableModuleClass } = new ConfigurableModuleBuilder<Log>({ optionsInjectionToken: LOG })
  .setClassMethodName('forRoot')
  .build();

@Global()
@Module({ providers: [Audit], exports: [LOG, Audit] })
export class LoggingModule extends ConfigurableModuleClass {}
