import type { ApiError } from '../api-error.js';
import { RouteNotFoundError } from '../resource-errors.js';
import { frameworkError } from './framework-errors.js';
import { messageList } from './message-list.js';
import { isRecord, textOf } from './records.js';
import { StatusError } from './status-error.js';

/** The class may come from any copy and version of @nestjs/common. */
interface HttpExceptionLike {
  readonly message?: string;
  readonly cause?: unknown;
  getStatus(): number;
  getResponse(): unknown;
}

export function isHttpException(thrown: unknown): thrown is HttpExceptionLike {
  return isRecord(thrown) && typeof thrown['getStatus'] === 'function' && typeof thrown['getResponse'] === 'function';
}

/**
 * Splits the list of sentences of a `ValidationPipe`: one sentence, with a detail for each field that can be
 * identified.
 */
export function fromHttpException(exception: HttpExceptionLike): ApiError {
  const known = frameworkError(exception.cause);
  if (known !== undefined) return known;
  const status = statusOf(exception);
  const response = exception.getResponse();
  const answer = isRecord(response) ? response : { message: response };
  const shared = { status, code: codeIn(answer), cause: exception };
  if (Array.isArray(answer['message'])) return new StatusError({ ...shared, ...messageList(answer['message']) });
  const message = textOf(answer, 'message') || textOf(answer, 'error') || (exception.message ?? '');
  if (status === 404 && /^Cannot [A-Z-]+ \//.test(message)) return new RouteNotFoundError();
  return new StatusError({ ...shared, message });
}

function statusOf(exception: HttpExceptionLike): number {
  const status = exception.getStatus();
  return Number.isInteger(status) && status >= 300 && status <= 599 ? status : 500;
}

/** Nest 12 names it `errorCode`. Only snake_case counts. */
function codeIn(answer: Readonly<Record<string, unknown>>): string | undefined {
  return [textOf(answer, 'code'), textOf(answer, 'errorCode')].find((code) => /^[a-z][a-z0-9_]{0,63}$/.test(code));
}
