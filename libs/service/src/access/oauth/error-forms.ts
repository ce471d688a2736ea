import { oauthErrorOf } from '../../http/request/oauth-error.js';
import { htmlPage, json, schemaRef } from '../../document/description/media-types.js';
import type { ErrorForm } from '../../document/description/operation.js';
import type { Presences } from '../../document/openapi-document.js';

const OAUTH_ERROR = {
  type: 'object',
  description: 'RFC 6749 §5.2',
  properties: {
    error: {
      type: 'string',
      maxLength: 64,
      pattern: '^[a-z][a-z0-9]*(_[a-z0-9]+)*$',
      description: 'A code of the OAuth RFCs.',
    },
    error_description: { type: 'string', maxLength: 4096, description: 'A sentence for people.' },
  },
  required: ['error'],
  additionalProperties: true,
};

/** Errors in the format of the OAuth RFCs. SPEC §1.4 */
export const oauthErrors: ErrorForm = {
  schemas: { OauthError: OAUTH_ERROR },
  content: ([error]) => json(schemaRef('OauthError'), error && oauthErrorOf(error)),
};

/** Headers of pages, in addition to the headers of every response. SPEC §5.1 */
export const PAGE_HEADERS: Presences = {
  'Referrer-Policy': 'always',
  'X-Frame-Options': 'always',
  'Set-Cookie': 'sometimes',
};

/** Formats errors as pages. Errors of the HTTP parser lack the page headers. SPEC §1.4 */
export const pageErrors: ErrorForm = {
  headers: Object.fromEntries(Object.keys(PAGE_HEADERS).map((name) => [name, 'sometimes'])),
  content: () => htmlPage('The same error as a page for people.'),
};
