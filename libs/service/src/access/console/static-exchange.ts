import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { HttpExchange } from '../../http/nest/http-exchange.js';
import { conditionsOf } from '../../http/request/conditional.js';
import { PLAIN_HEAD } from '../../http/request/request-head.js';

export { HttpExchange as StaticHttpExchange };

/** Only the page's script reads the query. */
export const StaticExchange = createParamDecorator((_: unknown, context: ExecutionContext): HttpExchange => {
  const [request, reply] = context.getArgs<[FastifyRequest, FastifyReply]>();
  return new HttpExchange(request, reply, { ...PLAIN_HEAD, conditions: conditionsOf(request.raw) });
});
