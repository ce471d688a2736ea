import type { ApiError } from '@items/conventions';
import type { ErrorAnswer } from '@items/conventions/answer';
import { escaped } from '../../../http/request/html.js';
import { type OauthErrorBody, oauthErrorOf } from '../../../http/request/oauth-error.js';
import { ForeignFormError } from '../../../http/pages/own-form.js';
import { pageHeaders } from '../../../http/pages/page-headers.js';
import { page } from './page.js';

const SENTENCES: Readonly<Record<string, string>> = {
  invalid_client: 'The application that sent you here is not known to this service.',
  invalid_redirect_uri:
    'The application that sent you here asked us to send you to an address that is not registered for it.',
  invalid_request: 'The application that sent you here sent a request that this service does not understand.',
  access_denied: 'Access was not given.',
  temporarily_unavailable: 'The service is busy or unavailable. Try again in a moment.',
  server_error:
    'Something went wrong in the service. Try again; if it happens again, tell the operator of the service.',
};

/** Sentences for error codes of this service, more specific than sentences for RFC codes. */
const OWN_SENTENCES: Readonly<Record<string, string>> = {
  login_refused: 'Your account of the identity provider may not use this service. Ask its operator for access.',
  identity_provider_unavailable:
    'The identity provider did not answer as it should. Try again in a moment, or log in another way.',
};

const FOREIGN_FORM =
  'This form was not sent by a page of this service, so nothing was done. If you typed a password on another site, change it.';

const EXPIRED = /session|interaction|expired/i;

export function pageErrorAnswer(error: ApiError): ErrorAnswer {
  return {
    status: error.status,
    headers: { ...error.headers, ...pageHeaders() },
    body: apiErrorPage(error),
  };
}

export function apiErrorPage(error: ApiError): string {
  const own = error instanceof ForeignFormError ? FOREIGN_FORM : OWN_SENTENCES[error.code];
  return errorPage(oauthErrorOf(error), own);
}

export function errorPage({ error, error_description: description }: OauthErrorBody, own?: string): string {
  const isExpired = error === 'invalid_request' && EXPIRED.test(description ?? '');
  const sentence = isExpired
    ? 'This page was open for too long, was answered already, or belongs to another browser.'
    : (own ?? SENTENCES[error] ?? SENTENCES['invalid_request'] ?? '');
  return page({
    title: 'This did not work',
    main: `<h1>This did not work</h1>
<p>${sentence}</p>
<p>Go back to the application that you came from, and start again there. Nothing was given to it.</p>
<dl>
<dt>${own === undefined ? 'For the developers of the application' : 'Details'}</dt>
<dd class="code">${escaped(error)}${description === undefined ? '' : `: ${escaped(description)}`}</dd>
</dl>`,
  });
}
