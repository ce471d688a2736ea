import { RouteNotFoundError } from '@items/conventions';
import {
  applyDecorators,
  type CanActivate,
  type ExecutionContext,
  Get,
  Header,
  Inject,
  Injectable,
  Param,
  Res,
  type Type,
  UseGuards,
} from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { InjectCollectionExchange, CollectionExchange } from '../http/nest/collection-exchange.js';
import { PlainController } from '../http/nest/plain-controller.decorator.js';
import { htmlPage, json } from './description/media-types.js';
import { Operation } from './description/operation.js';
import { docsPage, PAGE_HEADERS, REFERENCE_HEADERS, versionPage } from './docs/docs-page.js';
import { PageFiles } from './docs/page-files.js';
import { OPENAPI_OPTIONS, type OpenApiOptions, type OpenApiRoutes } from './openapi-options.js';
import { EncodedBody } from './served/encoded-body.js';
import { sendEncoded, sendFile } from './served/send-encoded.js';
import { ServedDocument } from './served/served-document.js';

const TAG = 'Documentation';
const SHOWN = json({ type: 'object', description: 'The document as the page shows it.' }, { openapi: '3.1.0' });
const FILE = { schema: { type: 'string', maxLength: 16_777_216 }, examples: { file: { value: '…' } } };

/** Serves the document and its pages, which load nothing from other sites and are usable without JavaScript. */
export function documentationController({ documents = [], files = [], icon, versions }: OpenApiRoutes): Type {
  @PlainController()
  class DocumentationController {
    private page: Promise<EncodedBody> | undefined;

    constructor(
      private readonly served: ServedDocument,
      private readonly files: PageFiles,
      @Inject(OPENAPI_OPTIONS) private readonly options: OpenApiOptions,
    ) {}

    @Get('openapi.json')
    @applyDecorators(...documents)
    @Operation({
      tag: TAG,
      id: 'openApiGet',
      summary: 'This document',
      ending: 'tagged',
      headers: { 'Content-Encoding': 'sometimes' },
      content: json({ type: 'object', description: 'An OpenAPI 3.1 document.' }, { openapi: '3.1.0' }),
    })
    @Header('Content-Type', 'application/json; charset=utf-8')
    document(
      @InjectCollectionExchange() exchange: CollectionExchange,
      @Res({ passthrough: true }) reply: FastifyReply,
    ): Promise<Buffer | undefined> {
      return sendEncoded(exchange, reply, this.served.body, this.options.versions?.[0]);
    }

    @Get('docs')
    @applyDecorators(...documents)
    @Operation({
      tag: TAG,
      id: 'docsShow',
      summary: 'This document, as a page',
      ending: 'tagged',
      content: htmlPage(),
      headers: { 'Referrer-Policy': 'always', 'Content-Encoding': 'sometimes' },
    })
    async show(
      @InjectCollectionExchange() exchange: CollectionExchange,
      @Res({ passthrough: true }) reply: FastifyReply,
    ): Promise<Buffer | undefined> {
      const page = await sendEncoded(exchange, reply, await (this.page ??= this.makePage()));
      reply.headers(REFERENCE_HEADERS);
      return page;
    }

    private async makePage(): Promise<EncodedBody> {
      return new EncodedBody(Buffer.from(docsPage(this.served.document, await this.files.all(), this.options)));
    }

    @Get('docs/:asset')
    @applyDecorators(...files)
    @UseGuards(KnownAssetGuard)
    @Operation({
      tag: TAG,
      id: 'docsFile',
      summary: 'A file of the page',
      ending: 'tagged',
      content: { 'text/css': FILE, 'text/javascript': FILE, 'image/svg+xml': FILE, ...SHOWN },
      headers: { 'Content-Encoding': 'sometimes' },
      errors: [new RouteNotFoundError()],
    })
    async file(
      @InjectCollectionExchange() exchange: CollectionExchange,
      @Param('asset') name: string,
      @Res({ passthrough: true }) reply: FastifyReply,
    ): Promise<Buffer | undefined> {
      return sendFile(exchange, reply, await this.files.named(name));
    }

    /** Browsers request this icon for pages without a link to an icon, such as `/openapi.json`. */
    @optional('favicon.ico', icon)
    async icon(
      @InjectCollectionExchange() exchange: CollectionExchange,
      @Res({ passthrough: true }) reply: FastifyReply,
    ): Promise<Buffer | undefined> {
      const { icon } = await this.files.all();
      const body = await sendEncoded(exchange, reply, icon.body);
      reply.headers({ 'content-type': icon.type, 'cache-control': 'public, max-age=86400' });
      return body;
    }

    /** Serves a page for each version, including ended ones. SPEC §9 */
    @optional('docs/versions/:version', versions)
    @Operation({
      tag: TAG,
      id: 'versionNotes',
      summary: 'What a version changed, and how long it lives',
      ending: 'tagged',
      content: htmlPage(),
      headers: { 'Referrer-Policy': 'always' },
      errors: [new RouteNotFoundError()],
    })
    async version(
      @InjectCollectionExchange() exchange: CollectionExchange,
      @Param('version') version: string,
      @Res({ passthrough: true }) reply: FastifyReply,
    ): Promise<string | undefined> {
      const { info, versionNotes } = this.options;
      const notes = versionNotes?.(version);
      if (notes === undefined) throw new RouteNotFoundError();
      const page = versionPage(notes, info.title, info.version, await this.files.all());
      const answer = exchange.document(new EncodedBody(Buffer.from(page)).etag, page);
      reply.headers(PAGE_HEADERS);
      return answer;
    }
  }
  return DocumentationController;
}

function optional(path: string, decorators: readonly MethodDecorator[] | undefined): MethodDecorator {
  return applyDecorators(...(decorators === undefined ? [] : [Get(path), ...decorators]));
}

/** Responds with 404 to an unknown file before request headers are checked, as for any unknown path. */
@Injectable()
class KnownAssetGuard implements CanActivate {
  constructor(private readonly files: PageFiles) {}

  async canActivate(context: ExecutionContext): Promise<true> {
    const { params } = context.switchToHttp().getRequest<FastifyRequest<{ Params: { asset: string } }>>();
    if ((await this.files.named(params.asset)) === undefined) throw new RouteNotFoundError();
    return true;
  }
}
