import type { Eventual } from '@items/conventions';
import { Exchange, HttpExchange } from '@items/nest';
import { applyDecorators, Controller, Get, Header, type Type } from '@nestjs/common';

import { json } from './description/media-types.js';
import { Operation } from './description/operation.js';
import { ServedDocument } from './served-document.js';

/** The API's description, for programs. @param decorators of its route. */
export function openApiController(decorators: readonly MethodDecorator[]): Type {
  @Controller('openapi.json')
  class OpenApiController {
    constructor(private readonly served: ServedDocument) {}

    @Get()
    @applyDecorators(...decorators)
    @Operation({
      tag: 'Documentation',
      summary: 'This document',
      ending: 'tagged',
      content: json({ type: 'object', description: 'An OpenAPI 3.1 document.' }, { openapi: '3.1.0' }),
    })
    @Header('Content-Type', 'application/json; charset=utf-8')
    get(@Exchange() exchange: HttpExchange): Eventual<Buffer | undefined> {
      return exchange.tagged({ resource: this.served.body, etag: this.served.etag });
    }
  }
  return OpenApiController;
}
