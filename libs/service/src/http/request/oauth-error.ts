import type { ApiError } from '@items/conventions';
import type { ErrorAnswer } from '@items/conventions/answer';

export interface OauthErrorBody {
  readonly error: string;
  readonly error_description?: string | undefined;
}

/** OAuth codes by status. The default is `invalid_request`. */
const CODES: Readonly<Record<number, string>> = {
  401: 'invalid_client',
  429: 'temporarily_unavailable',
  500: 'server_error',
  503: 'temporarily_unavailable',
};

const OWN_CODES: ReadonlySet<string> = new Set(['invalid_scope']);

/** Returns the error format of RFC 6749 §5.2 with the message of the service. SPEC §1.4 */
export function oauthErrorOf({ status, code, message }: ApiError): OauthErrorBody {
  return { error: OWN_CODES.has(code) ? code : (CODES[status] ?? 'invalid_request'), error_description: message };
}

export function oauthErrorAnswer(error: ApiError): ErrorAnswer {
  const headers = {
    ...error.headers,
    'cache-control': 'no-store',
    'content-type': 'application/json; charset=utf-8',
  };
  return { status: error.status, headers, body: JSON.stringify(oauthErrorOf(error)) };
}
