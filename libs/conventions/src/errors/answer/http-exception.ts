import type { ApiError } from '../api-error.js';
import { RouteNotFoundError } from '../resource-errors.js';
import { frameworkError, isRecord, textOf } from './framework-errors.js';
import { StatusError } from './status-error.js';
import type { ErrorDetail } from '../../error-body.js';
import { shownName } from '../shown-name.js';
import { MAX_DETAILS } from '../validation-error.js';

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

const MAX_SENTENCES = 3;
const UNKNOWN = /^property (\S{1,200}) should not exist$/;
/**
 * class-validator begins a sentence with the path of the field, except for sentences about each element of an array.
 */
const ABOUT =
  /^(?:nested property |each value in (?:nested property )?)?([A-Za-z_$][\w$.-]{0,199}) (?:must|should|is|has|can|may|does|contains) /;

/** Finds the field of each sentence of a `ValidationPipe`. @returns `details` sorted by field, at most 20. */
export function messageList(list: readonly unknown[]): { message: string; details: readonly ErrorDetail[] } {
  const sentences = list.filter((message) => typeof message === 'string' && message !== '') as readonly string[];
  const shown = sentences.slice(0, MAX_SENTENCES).join('; ');
  const hidden = sentences.length - MAX_SENTENCES;
  const message =
    shown === '' ? 'The request is not valid.' : `${shown}${hidden > 0 ? `; and ${String(hidden)} more` : ''}.`;
  const details = sentences.flatMap(detailOf).sort((a, b) => (a.field < b.field ? -1 : Number(a.field > b.field)));
  return { message, details: details.slice(0, MAX_DETAILS) };
}

function detailOf(message: string): ErrorDetail[] {
  const unknown = UNKNOWN.exec(message)?.[1];
  if (unknown !== undefined) return [{ field: shownName(unknown), code: 'unknown_field', message }];
  const field = ABOUT.exec(message)?.[1];
  return field === undefined ? [] : [{ field, code: 'invalid', message }];
}
