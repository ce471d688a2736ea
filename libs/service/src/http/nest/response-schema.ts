import { Reflector } from '@nestjs/core';
import { RouteSchema } from '@nestjs/platform-fastify';

import type { ControllerMethod } from './route-config.js';

type Schema = Parameters<typeof RouteSchema>[0];

const { KEY } = RouteSchema({});
const reflector = new Reflector();
const serviceSchemas = new WeakSet<object>();

/** Lets Fastify serialise the responses of a handler by their schemas. Members that a schema lacks are dropped. */
export function serialiseBy(method: object, response: object): void {
  const schema: Schema = { response };
  serviceSchemas.add(schema);
  RouteSchema(schema)(method, '', { value: method });
}

/** Undoes {@link serialiseBy}, because interceptors may add members. */
export function withoutServiceSchema(method: ControllerMethod): void {
  const schema = reflector.get<Schema | undefined>(KEY, method);
  if (schema !== undefined && serviceSchemas.has(schema)) RouteSchema({})(method, '', { value: method });
}
