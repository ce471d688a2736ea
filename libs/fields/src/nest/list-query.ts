import { type ListRequestAt, type ListRules, parseListUrl } from '@items/paging';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';

import type { HttpRequest } from './http-request.js';

const withQuery = createParamDecorator((rules: ListRules, context: ExecutionContext): ListRequestAt => {
  const { originalUrl, url } = context.switchToHttp().getRequest<HttpRequest>();
  return parseListUrl(originalUrl ?? url, rules);
});

/**
 * What a list was asked for: page or cursor, sort, filters. It reads the query string as it was sent, whatever query
 * parser the platform has.
 * @example
 * list(@ListQuery({ sortable: ['name'], filters: { color: textFilter({ max: 30 }) } }) request: ListRequestAt) {}
 * @throws 400 naming the parameter that is unknown, given twice, or has a value it cannot have.
 * @see SPEC §4.1
 */
export function ListQuery(rules: ListRules): ParameterDecorator {
  return withQuery(rules);
}
