import type { Eventual } from '@items/conventions';
import { RouteNotFoundError } from '@items/errors';
import { Exchange, HttpExchange } from '@items/nest';
import { applyDecorators, Controller, Get, Inject, Param, Res, UseGuards, type Type } from '@nestjs/common';
import type { FastifyReply } from 'fastify';

import { htmlPage } from '../description/media-types.js';
import { Operation } from '../description/operation.js';
import { OPENAPI_OPTIONS, type OpenApiOptions } from '../openapi-options.js';
import { etagOf, ServedDocument } from '../served-document.js';
import { assetNamed } from './assets.js';
import { docsPage } from './docs-page.js';
import { KnownAssetGuard } from './known-asset.guard.js';
import { PAGE_HEADERS } from './page-headers.js';

const FILE = { schema: { type: 'string', maxLength: 16_777_216 }, examples: { file: { value: '…' } } };

/**
 * The API's description, for people. It needs nothing but this service, and no JavaScript to be of use.
 * @param page decorators of the page. @param files decorators of what it loads.
 */
export function docsController(page: readonly MethodDecorator[], files: readonly MethodDecorator[]): Type {
  @Controller('docs')
  class DocsController {
    private readonly page: string;
    private readonly etag: string;

    constructor(served: ServedDocument, @Inject(OPENAPI_OPTIONS) { quickStart, versionNotes }: OpenApiOptions) {
      this.page = docsPage(served.document, quickStart, versionNotes !== undefined);
      this.etag = etagOf(this.page);
    }

    @Get()
    @applyDecorators(...page)
    @Operation({
      tag: 'Documentation',
      summary: 'This document, as a page',
      ending: 'tagged',
      content: htmlPage(),
      headers: { 'Referrer-Policy': 'always' },
    })
    show(
      @Exchange() exchange: HttpExchange,
      @Res({ passthrough: true }) reply: FastifyReply,
    ): Eventual<string | undefined> {
      const page = exchange.tagged({ resource: this.page, etag: this.etag });
      reply.headers(PAGE_HEADERS);
      return page;
    }

    @Get(':asset')
    @applyDecorators(...files)
    @UseGuards(KnownAssetGuard)
    @Operation({
      tag: 'Documentation',
      summary: 'A file of the page',
      ending: 'tagged',
      content: { 'text/css': FILE, 'text/javascript': FILE, 'image/png': FILE },
      errors: [new RouteNotFoundError()],
    })
    async file(
      @Exchange() exchange: HttpExchange,
      @Param('asset') name: string,
      @Res({ passthrough: true }) reply: FastifyReply,
    ): Promise<Buffer | undefined> {
      const asset = await assetNamed(name);
      if (asset === undefined) throw new RouteNotFoundError();
      const body = exchange.tagged({ resource: asset.body, etag: asset.etag });
      reply.headers({ 'content-type': asset.type, 'cache-control': 'public, max-age=3600' });
      return body;
    }
  }
  return DocsController;
}
