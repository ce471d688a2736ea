import { Controller, Get, Header } from '@nestjs/common';

import { Public } from '../auth/public.js';
import { Exchange, HttpExchange } from '../http/http-exchange.js';
import { json } from './description/media-types.js';
import { Operation } from './description/operation.js';
import { ServedDocument } from './served-document.js';

/** The API's description, for programs. */
@Controller('openapi.json')
export class OpenApiController {
  constructor(private readonly served: ServedDocument) {}

  @Get()
  @Public()
  @Operation({
    tag: 'Documentation',
    summary: 'This document',
    ending: 'tagged',
    content: json({ type: 'object', description: 'An OpenAPI 3.1 document.' }, { openapi: '3.1.0' }),
  })
  @Header('Content-Type', 'application/json; charset=utf-8')
  get(@Exchange() exchange: HttpExchange): string | undefined {
    return exchange.tagged({ resource: this.served.text, etag: this.served.etag });
  }
}
