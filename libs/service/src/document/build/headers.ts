import type { JsonSchema } from '@items/fields';

import type { OpenApiOptions } from '../openapi-options.js';
import type { Components } from './components.js';
import type { HeaderObject, Presence, Presences, Reference } from '../openapi-document.js';

type Header = Omit<HeaderObject, 'required'>;

const text = (description: string, example: string, maxLength = 256): Header => ({
  description,
  schema: { type: 'string', maxLength },
  example,
});
const whole = (description: string, example: number, minimum = 0): Header => ({
  description,
  schema: { type: 'integer', format: 'int64', minimum, maximum: Number.MAX_SAFE_INTEGER } satisfies JsonSchema,
  example,
});

const HEADERS: Readonly<Record<string, Header>> = {
  'X-Request-Id': text('Finds the request in the log of the service; as sent, or made by the service.', 'k3Xz-1', 128),
  'Cache-Control': text('How the response may be cached.', 'private, no-cache'),
  'X-Content-Type-Options': {
    description: 'A browser must not guess the media type.',
    schema: { const: 'nosniff' },
    example: 'nosniff',
  },
  'Content-Security-Policy': text('What a browser may do with the response.', "default-src 'none'", 1024),
  'Referrer-Policy': text('Whether a browser tells other sites where it came from.', 'no-referrer'),
  'X-Frame-Options': text('No page may show the response in a frame.', 'DENY'),
  'Strict-Transport-Security': text('Only over HTTPS. RFC 6797', 'max-age=31536000'),
  Vary: text('The request headers that the response depends on.', 'Origin'),
  'Access-Control-Allow-Origin': text(
    'The origin whose pages may read the response, if CORS is on.',
    'https://shop.example',
    2048,
  ),
  'Access-Control-Expose-Headers': text('The headers that such a page may read.', 'ETag, Link, Location', 1024),
  'Access-Control-Allow-Methods': text('To a preflight: what such a page may do.', 'GET, HEAD, POST, OPTIONS'),
  'Access-Control-Allow-Headers': text('To a preflight: what such a page may send.', 'X-API-Key, If-Match', 1024),
  'Access-Control-Max-Age': whole('To a preflight: seconds for which it may be remembered.', 600),
  'X-RateLimit-Limit': whole('The quota: requests in a window.', 600, 1),
  'X-RateLimit-Remaining': whole('Requests left in this window.', 599),
  'X-RateLimit-Reset': whole('Seconds until the window ends.', 42, 1),
  RateLimit: text(
    'The same, as the IETF drafts it: requests left, and seconds until the window ends.',
    '"default";r=599;t=42',
  ),
  'RateLimit-Policy': text(
    'The quota, as the IETF drafts it: requests, and seconds of a window.',
    '"default";q=600;w=60',
  ),
  'Retry-After': whole('Seconds to wait before the request is repeated.', 42, 1),
  ETag: text('The state of the resource; for If-Match and If-None-Match. RFC 9110 §8.8.3', '"1lqk2v8w0-0"'),
  Location: text('Path of what was created.', '/books/019a9f3e-5c7a-7d31-8b52-0e6a4f1c9d27', 2048),
  Link: text(
    'Other pages of the list, as far as 4 KiB hold them. RFC 8288',
    '</books?page=2&per_page=20>; rel="next"',
    4096,
  ),
  'Idempotent-Replayed': {
    description: 'Set if the request was repeated: this is the first response again.',
    schema: { const: 'true' },
    example: 'true',
  },
  Deprecation: text('The version is deprecated since this moment. RFC 9745', '@1795132800'),
  Sunset: text('When the version ends. RFC 8594', 'Fri, 01 Jun 2029 00:00:00 GMT'),
  Allow: text('The methods of this path. RFC 9110 §10.2.1', 'GET, HEAD, POST, OPTIONS'),
  'WWW-Authenticate': text('One line for each way to authenticate. RFC 9110 §11.6.1', 'Bearer realm="books"', 1024),
  'Content-Encoding': text('The coding of the body, where the request accepts one. RFC 9110 §8.4', 'br', 16),
  Accept: text('The media type that a body must have.', 'application/json'),
  'Accept-Encoding': text('The content coding that a body must have.', 'identity'),
};

const FIRST = ['X-Request-Id', 'Api-Version'];
const ALWAYS = ['Cache-Control', 'X-Content-Type-Options', 'Content-Security-Policy'];
const SOMETIMES = ['Strict-Transport-Security', 'Vary', 'Access-Control-Allow-Origin', 'Access-Control-Expose-Headers'];
const OLDER = ['Deprecation', 'Sunset', 'Link'];
const PREFLIGHT = ['Access-Control-Allow-Methods', 'Access-Control-Allow-Headers', 'Access-Control-Max-Age'];
/** Headers that any response may have. */
export const GENERAL_HEADERS = [...FIRST, ...ALWAYS, ...SOMETIMES];
export const RATE_LIMIT = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'RateLimit',
  'RateLimit-Policy',
];

export const PREFLIGHT_HEADERS: Presences = eachHeader(PREFLIGHT, 'sometimes');

export function generalHeaders({ versions }: OpenApiOptions): Presences {
  const first = FIRST.filter((name) => name !== 'Api-Version' || versions !== undefined);
  const ofOlder = (versions ?? []).length > 1 ? OLDER : [];
  return { ...eachHeader([...first, ...ALWAYS], 'always'), ...eachHeader([...SOMETIMES, ...ofOlder], 'sometimes') };
}

export function rateLimitHeaders(presence: Presence | undefined): Presences {
  return presence === undefined ? {} : eachHeader(RATE_LIMIT, presence);
}

export function headerRefs(presences: Presences, components: Components): Record<string, Reference> {
  return Object.fromEntries(
    Object.entries(presences).map(([given, presence]) => headerRef(given, presence, components)),
  );
}

/** Caches references, because a document repeats a header hundreds of times. */
function headerRef(given: string, presence: Presence, components: Components): readonly [string, Reference] {
  const key = `${presence} ${given}`;
  const known = components.headerRefs.get(key);
  if (known !== undefined) return known;
  const [name, header] = described(given, components.api);
  const made = [name, components.headers.put(name, { ...header, required: presence === 'always' }, presence)] as const;
  components.headerRefs.set(key, made);
  return made;
}

function described(given: string, { versions, headers: own = {} }: OpenApiOptions): [name: string, header: Header] {
  const known: Readonly<Record<string, Header>> =
    versions === undefined ? HEADERS : { ...HEADERS, 'Api-Version': versionHeader(versions) };
  const isGiven = (name: string): boolean => name.toLowerCase() === given.toLowerCase();
  const name = Object.keys({ ...known, ...own }).find(isGiven) ?? given;
  const { description, schema, example } = { ...known[name], ...own[name] };
  if (description === undefined || schema === undefined || example === undefined) {
    throw new Error(`The header ${name} is not described.`);
  }
  return [name, { description, schema, example }];
}

function versionHeader(versions: readonly string[]): Header {
  const schema = { type: 'string', enum: versions };
  return { description: 'The version of this response.', schema, example: versions[0] ?? '' };
}

function eachHeader(names: readonly string[], presence: Presence): Presences {
  return Object.fromEntries(names.map((name) => [name, presence]));
}
