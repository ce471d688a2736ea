import { ConfigurableModuleBuilder, Global, Module } from '@nestjs/common';

import { CONFIG, type Config } from './config.js';

const { ConfigurableModuleClass } = new ConfigurableModuleBuilder<Config>({ optionsInjectionToken: CONFIG })
  .setClassMethodName('forRoot')
  .build();

/** Is global, because nearly every layer reads a setting. */
@Global()
@Module({ exports: [CONFIG] })
export class ConfigModule extends ConfigurableModuleClass {}
