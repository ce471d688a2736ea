import type { ApiError } from '@items/errors';
import type { FastifyReply } from 'fastify';

/** An error as the OAuth RFCs write it. RFC 6749 §5.2 */
export interface OauthErrorBody {
  /** snake_case: `invalid_request`. */
  readonly error: string;
  readonly error_description?: string | undefined;
}

/** Status → code of the RFCs; others are faults of the request. */
const CODES: Readonly<Record<number, string>> = {
  401: 'invalid_client',
  429: 'temporarily_unavailable',
  500: 'server_error',
  503: 'temporarily_unavailable',
};

/** Whether a path is one where clients speak OAuth. */
export function speaksOauth(path: string): boolean {
  return path.startsWith('/oauth/');
}

/** Below `/oauth`, an error's `error` is a code of the OAuth RFCs, and the sentence stands beside it. decisions §1 */
export function oauthErrorOf({ status, message }: ApiError): OauthErrorBody {
  return { error: CODES[status] ?? 'invalid_request', error_description: message };
}

/** Answers with an error in this form. Nobody keeps it. */
export function sendOauthError(error: ApiError, reply: FastifyReply): void {
  if (reply.sent) return;
  reply
    .code(error.status)
    .headers({ ...error.headers, 'cache-control': 'no-store', 'content-type': 'application/json; charset=utf-8' })
    .send(JSON.stringify(oauthErrorOf(error)));
}
