import { MAX_BODY_BYTES } from '@items/conventions';
import { definitionOf, type DtoClass } from '@items/fields';
import type { Type } from '@nestjs/common';
import { HTTP_CODE_METADATA, ROUTE_ARGS_METADATA } from '@nestjs/common/constants';

import { capitalised } from './description/collection-names.js';
import { type OperationDescription, operationOf, type QueryParameter } from './description/operation.js';
import type { DescribedBody, Handler } from './route.js';

const SWAGGER = {
  operation: 'swagger/apiOperation',
  tags: 'swagger/apiUseTags',
  excluded: 'swagger/apiExcludeEndpoint',
  excludedController: 'swagger/apiExcludeController',
};
const [BODY, QUERY] = ['3', '4'];

interface Parameter {
  readonly kind: string;
  readonly index: number;
  readonly data: unknown;
}

export function isExcluded(controller: Type, handler: Handler): boolean {
  const endpoint = Reflect.getMetadata(SWAGGER.excluded, handler) as { readonly disable?: boolean } | undefined;
  const whole = Reflect.getMetadata(SWAGGER.excludedController, controller) as readonly boolean[] | undefined;
  return endpoint?.disable === true || whole?.[0] === true;
}

/** `@Operation()` overrides decorators of @nestjs/swagger. Both override class and method names. */
export function ownDescription(controller: Type, handler: Handler, method: string): OperationDescription {
  const operation = (Reflect.getMetadata(SWAGGER.operation, handler) ?? {}) as Record<string, unknown>;
  const tags = [handler, controller].flatMap(
    (target) => (Reflect.getMetadata(SWAGGER.tags, target) ?? []) as readonly string[],
  );
  const id = textOf(operation['operationId']);
  const description = textOf(operation['description']);
  const status = Reflect.getMetadata(HTTP_CODE_METADATA, handler) as number | undefined;
  return {
    tag: tags[0] ?? sentenceFromCamelCase(controller.name.replace(/Controller$/, '')),
    summary: textOf(operation['summary']) ?? sentenceFromCamelCase(handler.name),
    ...(description !== undefined && { description }),
    ...(id !== undefined && { id }),
    ending: 'plain',
    status: status ?? (method === 'post' ? 201 : 200),
    query: queryOf(controller, handler),
    ...operationOf(handler),
  };
}

/** Describes the body if the handler has `@Body() dto: Dto`, and the class has field decorators. */
export function ownBody(controller: Type, handler: Handler): DescribedBody | undefined {
  const body = parametersOf(controller, handler).find(({ kind, data }) => kind === BODY && data === undefined);
  const prototype = controller.prototype as object;
  const types = Reflect.getMetadata('design:paramtypes', prototype, handler.name) as readonly unknown[] | undefined;
  const dto = body && types?.[body.index];
  if (typeof dto !== 'function' || !isDescribed(dto as DtoClass)) return undefined;
  return { dto: dto as DtoClass, maxBytes: MAX_BODY_BYTES };
}

function isDescribed(dto: DtoClass): boolean {
  try {
    return definitionOf(dto).fields.size > 0;
  } catch {
    // Omit the body: `definitionOf()` throws for a field that has only rules of class-validator.
    return false;
  }
}

function queryOf(controller: Type, handler: Handler): QueryParameter[] {
  return parametersOf(controller, handler)
    .filter(({ kind, data }) => kind === QUERY && typeof data === 'string')
    .map(({ data }) => ({
      name: data as string,
      required: false,
      schema: { type: 'string', maxLength: 1024, description: 'A query parameter of this route.', examples: ['value'] },
    }));
}

function parametersOf(controller: Type, { name }: Handler): Parameter[] {
  const all = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, name) ?? {}) as Record<string, Parameter>;
  return Object.entries(all).map(([key, { index, data }]) => ({ kind: key.split(':')[0] ?? '', index, data }));
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** `listOpenLoans` becomes `List open loans`. */
function sentenceFromCamelCase(name: string): string {
  return capitalised(name.replace(/(?<=[a-z0-9])(?=[A-Z])/g, ' ').toLowerCase());
}
