import { validate, type DtoClass } from '@items/dtos';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { mayHaveBody } from './lingering-close.js';
import { requireJson } from './media-type.js';
import { parseJson } from './parse-json.js';
import { readBody, requireSmallBody } from './read-body.js';

/** Under it a handler's DTO class is found. */
const BODY = 'items:json-body';

/**
 * The request's body as an instance of a DTO class. It is read only here, after the guards: who may not write is
 * answered before a byte of his body is looked at.
 * @example
 * create(@JsonBody(CreateItemDto) input: CreateItemDto) {}
 * @throws 413, 415, 400, 422, in this order.
 * @see decisions §1, §4
 */
export function JsonBody(dto: DtoClass): ParameterDecorator {
  return (controller, name, index) => {
    const handler: unknown = name === undefined ? undefined : Reflect.get(controller, name);
    if (typeof handler !== 'function') throw new Error('@JsonBody() belongs before a parameter of a method.');
    Reflect.defineMetadata(BODY, dto, handler);
    withBodyOf(dto)(controller, name, index);
  };
}

/** The class that a handler's body is read into; undefined where it takes none. */
export function bodyOf(handler: object): DtoClass | undefined {
  return Reflect.getMetadata(BODY, handler) as DtoClass | undefined;
}

const withBodyOf = createParamDecorator(async (dto: DtoClass, context: ExecutionContext) => {
  const http = context.switchToHttp();
  return validate(dto, await readJson(http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>()));
});

/** Reads a request's body as JSON, of any shape. */
export async function readJson({ raw }: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  requireSmallBody(raw);
  if (mayHaveBody(raw) || raw.headers['content-type'] !== undefined) requireJson(raw.headers);
  // Whoever asks first whether to send his body gets that answer only now, when it is wanted.
  if (raw.headers.expect !== undefined && raw.httpVersionMinor > 0) reply.raw.writeContinue();
  return parseJson(await readBody(raw));
}
