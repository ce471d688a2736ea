import { MalformedBodyError } from '@items/conventions';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { requireJsonType } from '@items/conventions/answer';
import { definitionOf, type DtoClass } from '../definition.js';
import { validate } from '../validate.js';

const utf8 = new TextDecoder('utf-8', { fatal: true });

const NOT_PARSED =
  'No parser has read the body of the request. In an app of @items/service use its own @JsonBody(); in any other, ' +
  'leave the JSON parser of the platform on (bodyParser).';

const withBody = createParamDecorator((dto: DtoClass, context: ExecutionContext) => {
  const request = context.switchToHttp().getRequest<HttpRequest>();
  // Express or Fastify has already decoded any content coding. SPEC §4.5. The type is checked even without a body.
  const type = headerOf(request, 'content-type');
  if (type || hasBody(request)) requireJsonType(type);
  if (request.body === undefined) {
    // A parser would have set `body`, so the app has none.
    if (hasBody(request)) throw new Error(NOT_PARSED);
    throw new MalformedBodyError('The request body is empty; it must be JSON.');
  }
  requireUtf8(request);
  return validate(dto, request.body);
});

/**
 * Injects the parsed body as a validated instance of a class: texts trimmed, absent optional fields null, read-only
 * fields removed.
 * @example create(@JsonBody(CreateCatDto) cat: CreateCatDto) {}
 * @throws {Error} At the declaration: see `definitionOf`.
 * @throws {Error} 500: the app parses no bodies, such as one made by `createApp`, which has its own `@JsonBody()`.
 * @throws 415 another media type or charset; 400 empty, or not UTF-8; 422 for each wrong or unknown field.
 * @see SPEC §4 rule 5, §4 rule 6, §4.5
 */
export function JsonBody(dto: DtoClass): ParameterDecorator {
  definitionOf(dto);
  return withBody(dto);
}

/**
 * Express and Fastify silently replace invalid UTF-8 by U+FFFD. Checks the bytes if the app has `rawBody: true`;
 * otherwise refuses U+FFFD itself.
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

/** Also true for a chunked body, which may be empty. RFC 9112 §6 */
function hasBody(request: HttpRequest): boolean {
  const length = headerOf(request, 'content-length') ?? '0';
  return Boolean(headerOf(request, 'transfer-encoding')) || Number(length) !== 0;
}

/** Parts of a request of Express or Fastify. */
export interface HttpRequest {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Has the prefix of a mounted router, which Express removes from `url`. */
  readonly originalUrl?: string;
  readonly url: string;
  readonly body?: unknown;
  /** Present in an app created with `rawBody: true`. */
  readonly rawBody?: Uint8Array;
}

/** Use it only for a header that occurs at most once. */
function headerOf({ headers }: HttpRequest, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : undefined;
}
