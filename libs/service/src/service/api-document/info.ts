import { MAX_AMOUNT } from '@items/conventions';
import type { Scope } from '@items/dtos/contract';
import type { InfoObject, OpenApiDocument } from '../../document/openapi-document.js';

import type { Config } from '../../runtime/config/config.js';

export const DEFAULT_TITLE = 'Items HTTP API';

export function infoOf(
  { currency, cursorTtlMs, versions }: Pick<Config, 'currency' | 'cursorTtlMs' | 'versions'>,
  scopes: readonly Scope[],
  credentialHeaders: readonly string[] = [],
): InfoObject {
  return {
    title: DEFAULT_TITLE,
    version: versions.current,
    summary: 'Collections of resources over HTTP and JSON.',
    description: description(currency, cursorTtlMs / 1000, scopes, credentialHeaders),
    'x-currency': currency,
    license: { name: 'MIT', identifier: 'MIT' },
    contact: { name: 'The operator of this service' },
  };
}

export function withoutUnusedCurrency(document: OpenApiDocument): OpenApiDocument {
  const { 'x-currency': currency, ...info } = document.info;
  // Only fields with `@Money()` have this maximum: if it occurs, the document needs the currency.
  if (currency === undefined || JSON.stringify(document).includes(`"maximum":${String(MAX_AMOUNT)}`)) return document;
  const text = info.description?.replace(aboutPrices(currency), '');
  return { ...document, info: { ...info, ...(text !== undefined && { description: text }) } };
}

function aboutPrices(currency: string): string {
  return `Prices are in ${currency}, exact to the cent. `;
}

function description(
  currency: string,
  cursorTtlSeconds: number,
  scopes: readonly Scope[],
  credentialHeaders: readonly string[],
): string {
  const headers = credentialHeaders.map((header) => `\`${header}\``).join(' or ');
  return `Every request carries one credential, in ${headers}, over HTTPS and never in the URL. Each
operation names the scope that the credential needs; there are ${scopes.map((scope) => `\`${scope}\``).join(', ')}.

**Lists** come in pages, in either of two styles: \`page\` and \`per_page\`, with an exact \`total\`; or \`limit\` and
\`cursor\`. A cursor walk lists the rows that matched when its first page was served, in that order and with those
field values, each exactly once; rows created later are not listed; rows deleted before their page is served are
omitted; a cursor past its lifetime of ${cursorTtlSeconds} seconds is refused with 400 \`expired_cursor\`, and never
gets a short list: the walk must restart. Offset paging may skip or repeat rows when data changes between pages.

**Errors** are \`{"error", "code", "details"}\`: a sentence for people, a stable code for programs, and what is wrong
with which field. The same request gets the same error, byte for byte. A method that a path does not have gets
405 with \`Allow\`; a path that does not exist, 404. A request that is not acceptable as HTTP gets 408, 417 or 431.

**Headers**: every response has \`X-Request-Id\`, which finds it in the log, \`Api-Version\` and \`Cache-Control\`, those of the
quota, and some for browsers; each operation lists those that are its own.

**Quotas** count each credential, or each address where there is none; \`X-RateLimit-*\` and \`RateLimit\` show
what is left. On 429 and 503, try again after \`Retry-After\` seconds, and double the wait each time (1 s, 2 s, 4 s).
Identify your application in \`User-Agent\`.

**Safe changes**: send the \`ETag\` you have read as \`If-Match\`, and a change that another client made
meanwhile gets 412 instead of being lost. Send an \`Idempotency-Key\` with POST, and repeat it as often as the
network makes you.

**Versions**: \`Api-Version\` requests a version, and each response names its own; without it, the current one. The changes
of a version, and its end, are at \`/docs/versions/{version}\`; this document has the requested version.

${aboutPrices(currency)}Times are RFC 3339, UTC, with milliseconds. Ids are opaque strings.
A read-only field that is sent back is ignored; any other unknown field is 422.`;
}
