import type { ApiError, ErrorCode } from '@items/conventions';

import * as errors from './access-errors.js';

/** Every error class with its status and code. */
const TABLE: readonly (readonly [ApiError, number, ErrorCode])[] = [
  [new errors.AmbiguousCredentialError(), 400, 'ambiguous_credential'],
  [new errors.CredentialInUrlError(), 400, 'credential_in_url'],
  [new errors.PasswordLoginOffError(), 403, 'password_login_off'],
  [new errors.ScopeEscalationError(['items:write']), 403, 'scope_escalation'],
  [new errors.QuotaEscalationError({ requests: 600, seconds: 60 }), 403, 'quota_escalation'],
  [new errors.DelegatedCredentialError(), 403, 'delegated_credential'],
  [new errors.NarrowedLoginError(), 403, 'narrowed_login'],
  [new errors.OriginNotAllowedError(), 403, 'origin_not_allowed'],
  [new errors.HttpsRequiredError(), 403, 'https_required'],
  [new errors.TooManyFailuresError({ requests: 10, seconds: 900 }, 7), 429, 'too_many_failures'],
];

describe('SPEC §7: the status carries the class of error, the body a sentence and a stable code', () => {
  it.each(TABLE.map(([error, status, code]) => ({ name: error.name, error, status, code })))(
    '$name is $status $code',
    ({ error, status, code }) => {
      expect(error.status).toBe(status);
      expect(error.toBody()).toMatchObject({ code, error: expect.stringMatching(/^[A-Z"].*\.$/s) });
    },
  );

  it('the table has a row for every class', () => {
    expect(TABLE.map(([error]) => error.name).sort()).toEqual(Object.keys(errors).sort());
  });
});
