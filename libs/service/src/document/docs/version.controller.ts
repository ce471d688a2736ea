import { RouteNotFoundError } from '@items/conventions';
import { Exchange, HttpExchange } from '../../http/nest/http-exchange.js';
import { applyDecorators, Get, Inject, Param, Res, type Type } from '@nestjs/common';
import { PlainController } from '../../http/nest/plain-controller.js';
import type { FastifyReply } from 'fastify';

import { htmlPage } from '../description/media-types.js';
import { Operation } from '../description/operation.js';
import { OPENAPI_OPTIONS, type OpenApiOptions } from '../openapi-options.js';
import { EncodedBody } from '../served/encoded-body.js';
import { PageFiles } from './page-files.js';
import { PAGE_HEADERS } from './page-headers.js';
import { versionPage } from './version-page.js';

/** Serves a page for each version, including ended ones. SPEC §9 */
export function versionController(decorators: readonly MethodDecorator[]): Type {
  @PlainController('docs/versions')
  class VersionController {
    constructor(
      @Inject(OPENAPI_OPTIONS) private readonly api: OpenApiOptions,
      private readonly files: PageFiles,
    ) {}

    @Get(':version')
    @applyDecorators(...decorators)
    @Operation({
      tag: 'Documentation',
      id: 'versionNotes',
      summary: 'What a version changed, and how long it lives',
      ending: 'tagged',
      content: htmlPage(),
      headers: { 'Referrer-Policy': 'always' },
      errors: [new RouteNotFoundError()],
    })
    async show(
      @Exchange() exchange: HttpExchange,
      @Param('version') version: string,
      @Res({ passthrough: true }) reply: FastifyReply,
    ): Promise<string | undefined> {
      const { info, versionNotes } = this.api;
      const notes = versionNotes?.(version);
      if (notes === undefined) throw new RouteNotFoundError();
      const page = versionPage(notes, info.title, info.version, await this.files.all());
      const answer = exchange.document(new EncodedBody(Buffer.from(page)).etag, page);
      reply.headers(PAGE_HEADERS);
      return answer;
    }
  }
  return VersionController;
}
