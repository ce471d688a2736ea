import { Exchange, HttpExchange } from '../http/nest/http-exchange.js';
import { applyDecorators, Get, Header, Inject, Res, type Type } from '@nestjs/common';
import { PlainController } from '../http/nest/plain-controller.js';
import type { FastifyReply } from 'fastify';

import { json } from './description/media-types.js';
import { Operation } from './description/operation.js';
import { OPENAPI_OPTIONS, type OpenApiOptions } from './openapi-options.js';
import { sendEncoded } from './served/send-encoded.js';
import { ServedDocument } from './served/served-document.js';

export function openApiController(decorators: readonly MethodDecorator[]): Type {
  @PlainController('openapi.json')
  class OpenApiController {
    constructor(
      private readonly served: ServedDocument,
      @Inject(OPENAPI_OPTIONS) private readonly options: OpenApiOptions,
    ) {}

    @Get()
    @applyDecorators(...decorators)
    @Operation({
      tag: 'Documentation',
      summary: 'This document',
      ending: 'tagged',
      headers: { 'Content-Encoding': 'sometimes' },
      content: json({ type: 'object', description: 'An OpenAPI 3.1 document.' }, { openapi: '3.1.0' }),
    })
    @Header('Content-Type', 'application/json; charset=utf-8')
    get(
      @Exchange() exchange: HttpExchange,
      @Res({ passthrough: true }) reply: FastifyReply,
    ): Promise<Buffer | undefined> {
      return sendEncoded(exchange, reply, this.served.body, this.options.versions?.[0]);
    }
  }
  return OpenApiController;
}
