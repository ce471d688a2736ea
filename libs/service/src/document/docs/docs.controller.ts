import { RouteNotFoundError } from '@items/conventions';
import { Exchange, HttpExchange } from '../../http/nest/http-exchange.js';
import {
  applyDecorators,
  Get,
  Inject,
  Param,
  Res,
  UseGuards,
  type Type,
  Injectable,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import { PlainController } from '../../http/nest/plain-controller.js';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { htmlPage, json } from '../description/media-types.js';
import { Operation } from '../description/operation.js';
import { OPENAPI_OPTIONS, type OpenApiOptions } from '../openapi-options.js';
import { EncodedBody } from '../served/encoded-body.js';
import { sendEncoded, sendFile } from '../served/send-encoded.js';
import { ServedDocument } from '../served/served-document.js';
import { docsPage } from './docs-page.js';
import { PageFiles } from './page-files.js';
import { REFERENCE_HEADERS } from './page-headers.js';

const SHOWN = json({ type: 'object', description: 'The document as the page shows it.' }, { openapi: '3.1.0' });
const FILE = { schema: { type: 'string', maxLength: 16_777_216 }, examples: { file: { value: '…' } } };

/** The page loads nothing from other sites, and is usable without JavaScript. */
export function docsController(page: readonly MethodDecorator[], files: readonly MethodDecorator[]): Type {
  @PlainController('docs')
  class DocsController {
    private page: Promise<EncodedBody> | undefined;

    constructor(
      private readonly served: ServedDocument,
      private readonly files: PageFiles,
      @Inject(OPENAPI_OPTIONS) private readonly options: OpenApiOptions,
    ) {}

    @Get()
    @applyDecorators(...page)
    @Operation({
      tag: 'Documentation',
      summary: 'This document, as a page',
      ending: 'tagged',
      content: htmlPage(),
      headers: { 'Referrer-Policy': 'always', 'Content-Encoding': 'sometimes' },
    })
    async show(
      @Exchange() exchange: HttpExchange,
      @Res({ passthrough: true }) reply: FastifyReply,
    ): Promise<Buffer | undefined> {
      const page = await sendEncoded(exchange, reply, await (this.page ??= this.makePage()));
      reply.headers(REFERENCE_HEADERS);
      return page;
    }

    private async makePage(): Promise<EncodedBody> {
      return new EncodedBody(Buffer.from(docsPage(this.served.document, await this.files.all(), this.options)));
    }

    @Get(':asset')
    @applyDecorators(...files)
    @UseGuards(KnownAssetGuard)
    @Operation({
      tag: 'Documentation',
      summary: 'A file of the page',
      ending: 'tagged',
      content: { 'text/css': FILE, 'text/javascript': FILE, 'image/svg+xml': FILE, ...SHOWN },
      headers: { 'Content-Encoding': 'sometimes' },
      errors: [new RouteNotFoundError()],
    })
    async file(
      @Exchange() exchange: HttpExchange,
      @Param('asset') name: string,
      @Res({ passthrough: true }) reply: FastifyReply,
    ): Promise<Buffer | undefined> {
      return sendFile(exchange, reply, await this.files.named(name));
    }
  }
  return DocsController;
}

/** Responds with 404 to an unknown file before its headers are checked, as for any unknown path. */
@Injectable()
class KnownAssetGuard implements CanActivate {
  constructor(private readonly files: PageFiles) {}

  async canActivate(context: ExecutionContext): Promise<true> {
    const { params } = context.switchToHttp().getRequest<FastifyRequest<{ Params: { asset: string } }>>();
    if ((await this.files.named(params.asset)) === undefined) throw new RouteNotFoundError();
    return true;
  }
}
