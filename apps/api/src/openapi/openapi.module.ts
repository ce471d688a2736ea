import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';

import { DocsController } from './docs/docs.controller.js';
import { OpenApiController } from './openapi.controller.js';
import { ServedDocument } from './served-document.js';

/** `/openapi.json` and `/docs`. */
@Module({
  imports: [DiscoveryModule],
  controllers: [OpenApiController, DocsController],
  providers: [ServedDocument],
})
export class OpenApiModule {}
