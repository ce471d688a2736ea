import type { ApiError } from '../api-error.js';
import { RouteNotFoundError } from '../resource-errors.js';
import { frameworkError } from './framework-errors.js';
import { messageList } from './message-list.js';
import { isRecord, textOf } from './records.js';
import { StatusError } from './status-error.js';

/** As much of Nest's `HttpException` as is needed; its class may come from another copy of @nestjs/common. */
interface HttpExceptionLike {
  readonly message?: string;
  readonly cause?: unknown;
  getStatus(): number;
  getResponse(): unknown;
}

/** Whether something is an `HttpException` of any copy and version of @nestjs/common. */
export function isHttpException(thrown: unknown): thrown is HttpExceptionLike {
  return isRecord(thrown) && typeof thrown['getStatus'] === 'function' && typeof thrown['getResponse'] === 'function';
}

/**
 * An `HttpException` in our form: its status and sentence stay. The list of sentences that a `ValidationPipe` makes
 * becomes one sentence, with a detail for each field that can be told.
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
  // Nest's own sentence for a path that it does not know.
  if (status === 404 && /^Cannot [A-Z-]+ \//.test(message)) return new RouteNotFoundError();
  return new StatusError({ ...shared, message });
}

function statusOf(exception: HttpExceptionLike): number {
  const status = exception.getStatus();
  return Number.isInteger(status) && status >= 300 && status <= 599 ? status : 500;
}

/** A `code` or Nest 12's `errorCode` that the exception was given, where it has the form of ours. */
function codeIn(answer: Readonly<Record<string, unknown>>): string | undefined {
  return [textOf(answer, 'code'), textOf(answer, 'errorCode')].find((code) => /^[a-z][a-z0-9_]{0,63}$/.test(code));
}
