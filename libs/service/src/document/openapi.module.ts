import { ConfigurableModuleBuilder, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';

import { PageFiles } from './docs/page-files.js';
import { documentationController } from './documentation.controller.js';
import { OPENAPI_OPTIONS, type OpenApiOptions, type OpenApiRoutes } from './openapi-options.js';
import { ServedDocument } from './served/served-document.js';

const { ConfigurableModuleClass } = new ConfigurableModuleBuilder<OpenApiOptions>({
  optionsInjectionToken: OPENAPI_OPTIONS,
})
  .setClassMethodName('forRoot')
  .setExtras<OpenApiRoutes>({}, (definition, routes) => ({
    ...definition,
    providers: [...(definition.providers ?? []), documentationController(routes)],
  }))
  .build();

/**
 * Serves `/openapi.json` and `/docs`. Routes without `@Operation()` and `@DescribesCollection()` are omitted, except
 * those of the app's own modules.
 * @example imports: [OpenApiModule.forRoot({ info: { title: 'Books', version: '1.0.0' } })]
 * @example OpenApiModule.forRootAsync({ inject: [CONFIG], useFactory: aboutThisApi, documents: [Public()], files:
 * [Public()] })
 */
@Module({ imports: [DiscoveryModule], providers: [PageFiles, ServedDocument], exports: [ServedDocument] })
export class OpenApiModule extends ConfigurableModuleClass {}
