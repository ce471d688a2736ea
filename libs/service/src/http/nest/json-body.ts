import { MAX_BODY_BYTES } from '@items/conventions';
import { definitionOf, validate, type DtoClass, type EnumOverrides } from '@items/fields';
import { headOf } from '../request/request-head.js';
import { readJson } from '../body/read-body.js';
import { createParamDecorator, type ExecutionContext, type Type } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyContextConfig, FastifyReply, FastifyRequest } from 'fastify';

import type { ControllerMethod } from './route-config.js';

declare module 'fastify' {
  interface FastifyInstance {
    /** Allowed values of enum fields. Default: those of the DTO classes. */
    enumOverrides?: EnumOverrides;
  }
}

const BODY = 'items:json-body';

/** Marks handlers that read the body themselves: Fastify does not parse it. */
export const ReadsBody = Reflector.createDecorator();

const reflector = new Reflector();

export interface BodyRule {
  /** Undefined if no class validates the body. */
  readonly dto: DtoClass | undefined;
  readonly maxBytes: number;
  readonly index: number;
}

/**
 * Injects the request body as an instance of a DTO class, or as parsed JSON without a class. The body is read after the
 * guards of the handler, so a forbidden caller is refused first. The route must not read the body elsewhere.
 * @example
 * create(@JsonBody(CreateItemDto) input: CreateItemDto) {}
 * @param dto default: every JSON value is accepted, and the OpenAPI document does not describe the body.
 * @param maxBytes default 1 MiB. Use `MAX_CREDENTIAL_BODY_BYTES` if a credential is requested or sent.
 * @throws {Error} at the declaration: the class has a rule that cannot be validated.
 * @throws 400 for an invalid head, then 413, 415, 400, 422, in this order.
 * @see SPEC §1, §4.5
 */
export function JsonBody(dto?: DtoClass, maxBytes = MAX_BODY_BYTES): ParameterDecorator {
  if (dto !== undefined) definitionOf(dto);
  return (controller, name, index) => {
    const rule: BodyRule = { dto, maxBytes, index };
    Reflect.defineMetadata(BODY, rule, handlerAt(controller, name, '@JsonBody()'));
    withBodyOf(rule)(controller, name, index);
  };
}

/** @throws {Error} the decorator is at a parameter of a constructor. */
export function handlerAt(controller: object, name: string | symbol | undefined, decorator: string): object {
  const handler: unknown = name === undefined ? undefined : Reflect.get(controller, name);
  if (typeof handler !== 'function') throw new Error(`${decorator} must decorate a parameter of a method.`);
  return handler;
}

export function bodyOf(handler: object): BodyRule | undefined {
  return Reflect.getMetadata(BODY, handler) as BodyRule | undefined;
}

/** @returns undefined if Fastify, not the handler, parses the body. */
export function bodyConfig(controller: Type, handler: ControllerMethod): FastifyContextConfig | undefined {
  const { maxBytes } = bodyOf(handler) ?? {};
  if (maxBytes !== undefined) return { readsBody: { maxBytes } };
  const isMarked = reflector.getAllAndOverride<unknown>(ReadsBody.KEY, [handler, controller]) !== undefined;
  return isMarked ? { readsBody: {} } : undefined;
}

const readEarly = new WeakMap<FastifyRequest, unknown>();

/** Reads the body of a handler before Nest resolves its parameters. @throws the errors of {@link JsonBody}. */
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
  // Nest resolves all parameters concurrently, so validate the head here, before the body.
  headOf(request);
  const body = await readJson(request, reply, { maxBytes, isValidated: dto !== undefined });
  return dto === undefined ? body : validate(dto, body, request.server.enumOverrides);
}
