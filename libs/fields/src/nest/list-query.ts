import { type ListRequestAt, type ListRules, parseListUrl } from '@items/paging';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { HttpRequest } from './json-body.js';

const withQuery = createParamDecorator((rules: ListRules, context: ExecutionContext): ListRequestAt => {
  const { originalUrl, url } = context.switchToHttp().getRequest<HttpRequest>();
  return parseListUrl(originalUrl ?? url, rules);
});

/**
 * Injects the parsed query of a list: page or cursor, sort, filters. Reads the raw query, so the query parser of
 * Express or Fastify does not matter.
 * @example
 * list(@ListQuery({ sortable: ['name'], filters: { color: textFilter({ max: 30 }) } }) request: ListRequestAt) {}
 * @throws 400 naming the parameter that is unknown, repeated, or invalid.
 * @see SPEC §4.1
 */
export function ListQuery(rules: ListRules): ParameterDecorator {
  return withQuery(rules);
}
