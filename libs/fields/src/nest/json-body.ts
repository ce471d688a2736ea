import { MalformedBodyError } from '@items/conventions';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';

import { definitionOf, type DtoClass } from '../definition.js';
import { validate } from '../validate.js';
import type { HttpRequest } from './http-request.js';
import { announcesBody, hasBody, requireJson } from './require-json.js';

const utf8 = new TextDecoder('utf-8', { fatal: true });

const NOT_PARSED =
  'No parser has read the body of the request. In an app of @items/service use its own @JsonBody(); in any other, ' +
  'leave the JSON parser of the platform on (bodyParser).';

const withBody = createParamDecorator((dto: DtoClass, context: ExecutionContext) => {
  const request = context.switchToHttp().getRequest<HttpRequest>();
  if (announcesBody(request)) requireJson(request);
  if (request.body === undefined) {
    // A parser makes something of every body: no parser has read this one.
    if (hasBody(request)) throw new Error(NOT_PARSED);
    throw new MalformedBodyError('The request body is empty; it must be JSON.');
  }
  requireUtf8(request);
  return validate(dto, request.body);
});

/**
 * The request's body as an instance of a class whose fields carry this lib's decorators: texts trimmed, absent optional
 * fields null, read-only fields left out. The body is what the platform's own parser has read.
 * @example
 * create(@JsonBody(CreateCatDto) cat: CreateCatDto) {}
 * @throws {Error} as the class is declared: it has rules that cannot be judged.
 * @throws {Error} 500: the app parses no bodies, such as one made by `createApp`, which has a `@JsonBody()` of its own.
 * @throws 415 another media type or charset; 400 empty, or not UTF-8; 422 naming each field that is wrong or unknown.
 * @see SPEC §4 rule 5, §4 rule 6, §4.5
 */
export function JsonBody(dto: DtoClass): ParameterDecorator {
  definitionOf(dto);
  return withBody(dto);
}

/**
 * The platforms put U+FFFD in the place of what is not UTF-8, and tell no one. With the bytes at hand (`rawBody: true`)
 * it is seen; without them, U+FFFD itself is refused rather than kept in the place of something else.
 */
function requireUtf8({ body, rawBody }: HttpRequest): void {
  if (rawBody === undefined) {
    if (!JSON.stringify(body).includes('\uFFFD')) return;
    throw new MalformedBodyError('The request body is not valid UTF-8, or holds the replacement character U+FFFD.');
  }
  try {
    utf8.decode(rawBody);
  } catch (cause) {
    throw new MalformedBodyError('The request body is not valid UTF-8.', { cause });
  }
}
