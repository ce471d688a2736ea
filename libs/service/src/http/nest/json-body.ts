import { MAX_BODY_BYTES } from '@items/conventions';
import { definitionOf, validate, type DtoClass, type EnumOverrides } from '@items/fields';
import { headOf } from '../request/request-head.js';
import { readJson } from '../body/read-body.js';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyInstance {
    /** Of the service, for what its bodies are judged by; those of the classes where it says none. */
    enumOverrides?: EnumOverrides;
  }
}

/** Under it is found what a handler takes. */
const BODY = 'items:json-body';

/** What a handler's body may be. */
export interface BodyRule {
  /** Undefined where every JSON value is taken. */
  readonly dto: DtoClass | undefined;
  /** Bytes; more is 413. */
  readonly maxBytes: number;
  /** Position of the parameter. */
  readonly index: number;
}

/**
 * The request's body as an instance of a DTO class, or, without a class, the parsed JSON as it is. It is read only here: who may not write is answered before a byte of the
 * body is looked at, by the guards of the handler too. Its route has no other reader of the body.
 * @example
 * create(@JsonBody(CreateItemDto) input: CreateItemDto) {}
 * @param dto whose rules the body must keep; every JSON value is taken where it is left out, and the document then says
 *   nothing of the body.
 * @param maxBytes 1 MiB where it is left out; `MAX_CREDENTIAL_BODY_BYTES` where a credential is asked for or given.
 * @throws {Error} as the class is declared: it has rules that cannot be judged.
 * @throws 400 for what stands before the body, then 413, 415, 400, 422, in this order.
 * @see SPEC §1, §4.5
 */
export function JsonBody(dto?: DtoClass, maxBytes = MAX_BODY_BYTES): ParameterDecorator {
  if (dto !== undefined) definitionOf(dto);
  return (controller, name, index) => {
    const rule: BodyRule = { dto, maxBytes, index };
    const handler: unknown = name === undefined ? undefined : Reflect.get(controller, name);
    if (typeof handler !== 'function') throw new Error('@JsonBody() belongs before a parameter of a method.');
    Reflect.defineMetadata(BODY, rule, handler);
    withBodyOf(rule)(controller, name, index);
  };
}

/** What a handler's body is read into, and how large it may be; undefined where it takes none. */
export function bodyOf(handler: object): BodyRule | undefined {
  return Reflect.getMetadata(BODY, handler) as BodyRule | undefined;
}

/** Bodies that were read before the parameters of their handlers were. */
const readEarly = new WeakMap<FastifyRequest, unknown>();

/** Reads and validates the body of a handler before its parameters. @throws what {@link JsonBody} throws. */
export async function readBodyEarly(rule: BodyRule, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  const body = await readBody(rule, request, reply);
  readEarly.set(request, body);
  return body;
}

const withBodyOf = createParamDecorator(async (rule: BodyRule, context: ExecutionContext) => {
  const [request, reply] = context.getArgs<[FastifyRequest, FastifyReply]>();
  return readEarly.has(request) ? readEarly.get(request) : readBody(rule, request, reply);
});

async function readBody({ dto, maxBytes }: BodyRule, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  // Nest resolves all parameters of a handler concurrently: what comes before the body must be judged first.
  headOf(request);
  const body = await readJson(request, reply, maxBytes, dto !== undefined);
  return dto === undefined ? body : validate(dto, body, request.server.enumOverrides);
}
