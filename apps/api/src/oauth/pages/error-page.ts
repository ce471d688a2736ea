import { escaped, type OauthErrorBody } from '@items/http';

import { page } from './page.js';

/** What each code means, for people. */
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

const EXPIRED = /session|interaction|expired/i;

/** Says that there is no way on from here, why, and what to do about it. */
export function errorPage({ error, error_description: description }: OauthErrorBody): string {
  const isExpired = error === 'invalid_request' && EXPIRED.test(description ?? '');
  const sentence = isExpired
    ? 'This page was open for too long, was answered already, or belongs to another browser.'
    : (SENTENCES[error] ?? SENTENCES['invalid_request'] ?? '');
  return page({
    title: 'This did not work',
    main: `<h1>This did not work</h1>
<p>${sentence}</p>
<p>Go back to the application that you came from, and start again there. Nothing was given to it.</p>
<dl>
<dt>For the developers of the application</dt>
<dd class="code">${escaped(error)}${description === undefined ? '' : `: ${escaped(description)}`}</dd>
</dl>`,
  });
}
