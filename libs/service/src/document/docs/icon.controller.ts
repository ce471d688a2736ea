import { applyDecorators, Get, Res, type Type } from '@nestjs/common';
import type { FastifyReply } from 'fastify';

import { Exchange, HttpExchange } from '../../http/nest/http-exchange.js';
import { PlainController } from '../../http/nest/plain-controller.js';
import { sendEncoded } from '../served/send-encoded.js';
import { PageFiles } from './page-files.js';

/** Browsers request this icon for pages without a link to one, such as `/openapi.json`. */
export function iconController(decorators: readonly MethodDecorator[]): Type {
  @PlainController('favicon.ico')
  class IconController {
    constructor(private readonly files: PageFiles) {}

    @Get()
    @applyDecorators(...decorators)
    async get(
      @Exchange() exchange: HttpExchange,
      @Res({ passthrough: true }) reply: FastifyReply,
    ): Promise<Buffer | undefined> {
      const { icon } = await this.files.all();
      const body = await sendEncoded(exchange, reply, icon.body);
      reply.headers({ 'content-type': icon.type, 'cache-control': 'public, max-age=86400' });
      return body;
    }
  }
  return IconController;
}
