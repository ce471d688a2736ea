import { createParamDecorator, type ExecutionContext, Get, Inject, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { PlainController } from '../../http/nest/plain-controller.decorator.js';
import { EncodedBody } from '../../document/served/encoded-body.js';
import { sendEncoded, sendFile } from '../../document/served/send-encoded.js';
import { CONFIG, type Config } from '../../runtime/config/config.js';
import { Public } from '../auth/decorators.js';
import { Uncounted } from '../auth/route-access.js';
import {
  CONSOLE_HEADERS,
  CONSOLE_OPTIONS,
  type ConsoleFileSet,
  type ConsoleOptions,
  consolePage,
  readConsoleFiles,
} from './console-page.js';
import { CollectionExchange } from '../../http/nest/collection-exchange.js';
import { conditionsOf } from '../../http/request/conditional.js';
import { PLAIN_HEAD } from '../../http/request/request-head.js';

/** Ignores the query, because only the page's script reads it. */
const StaticExchange = createParamDecorator((_: unknown, context: ExecutionContext): CollectionExchange => {
  const [request, reply] = context.getArgs<[FastifyRequest, FastifyReply]>();
  return new CollectionExchange(request, reply, { ...PLAIN_HEAD, conditions: conditionsOf(request.raw) });
});

/** Serves the page on all paths without a file extension. Needs no credential and has no quota. */
@PlainController('console')
export class ConsoleController {
  private readFiles: Promise<ConsoleFileSet> | undefined;
  private page: Promise<EncodedBody> | undefined;

  constructor(
    @Inject(CONFIG) private readonly config: Pick<Config, 'baseUrl' | 'consoleColor'>,
    @Inject(CONSOLE_OPTIONS) private readonly options: ConsoleOptions,
  ) {}

  @Get()
  @Public()
  @Uncounted()
  async show(
    @StaticExchange() exchange: CollectionExchange,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Buffer | undefined> {
    const body = await sendEncoded(exchange, reply, await (this.page ??= this.makePage()));
    reply.headers(CONSOLE_HEADERS);
    return body;
  }

  @Get('*')
  @Public()
  @Uncounted()
  async below(
    @StaticExchange() exchange: CollectionExchange,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Buffer | undefined> {
    const name = exchange.path.slice('/console/'.length);
    const hasExtension = name.slice(name.lastIndexOf('/') + 1).includes('.');
    if (!hasExtension) return this.show(exchange, reply);
    const file = Object.values(await this.files()).find((known) => known.name === name);
    return sendFile(exchange, reply, file);
  }

  private files(): Promise<ConsoleFileSet> {
    return (this.readFiles ??= readConsoleFiles());
  }

  private async makePage(): Promise<EncodedBody> {
    const page = consolePage(this.config, await this.files(), this.options.title);
    return new EncodedBody(Buffer.from(page));
  }
}
