import { Get, Inject, Res } from '@nestjs/common';
import { PlainController } from '../../http/nest/plain-controller.js';
import type { FastifyReply } from 'fastify';

import { EncodedBody } from '../../document/served/encoded-body.js';
import { sendEncoded, sendFile } from '../../document/served/send-encoded.js';
import { CONFIG, type Config } from '../../runtime/config/config.js';
import { Public } from '../auth/public.js';
import { Uncounted } from '../auth/route-access.js';
import { ConsoleFiles } from './console-files.js';
import { CONSOLE_OPTIONS, type ConsoleOptions } from './console-options.js';
import { CONSOLE_HEADERS, consolePage } from './console-page.js';
import { StaticExchange, type StaticHttpExchange } from './static-exchange.js';

/** Serves the page on all paths without a file extension. No credential, no quota. */
@PlainController('console')
export class ConsoleController {
  private page: Promise<EncodedBody> | undefined;

  constructor(
    private readonly files: ConsoleFiles,
    @Inject(CONFIG) private readonly config: Pick<Config, 'baseUrl' | 'consoleColor'>,
    @Inject(CONSOLE_OPTIONS) private readonly options: ConsoleOptions,
  ) {}

  @Get()
  @Public()
  @Uncounted()
  async show(
    @StaticExchange() exchange: StaticHttpExchange,
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
    @StaticExchange() exchange: StaticHttpExchange,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Buffer | undefined> {
    const name = exchange.path.slice('/console/'.length);
    const hasExtension = name.slice(name.lastIndexOf('/') + 1).includes('.');
    if (!hasExtension) return this.show(exchange, reply);
    return sendFile(exchange, reply, await this.files.named(name));
  }

  private async makePage(): Promise<EncodedBody> {
    const page = consolePage(this.config, await this.files.all(), this.options.title);
    return new EncodedBody(Buffer.from(page));
  }
}
