import { type ErrorCode, STATUS_CODES } from '../../error-code.js';
import type { ErrorDetail } from '../../error-body.js';

import { ApiError } from '../api-error.js';

export interface StatusErrorOptions {
  readonly status: number;
  readonly message: string;
  /** Default: the code of the status. */
  readonly code?: string | undefined;
  readonly details?: readonly ErrorDetail[];
  readonly cause?: unknown;
}

/** An error of other code, known only by its status and sentence. RFC 9110 §15 */
export class StatusError extends ApiError {
  override readonly status: number;
  override readonly code: string;

  constructor({ status, message, code, details, cause }: StatusErrorOptions) {
    super(message, { cause, ...(details && { details }) });
    this.status = status;
    this.code = code ?? codeOfStatus(status);
  }
}

function codeOfStatus(status: number): ErrorCode {
  const codes: Readonly<Record<number, ErrorCode>> = STATUS_CODES;
  return codes[status] ?? (status < 500 ? 'bad_request' : 'internal_error');
}
