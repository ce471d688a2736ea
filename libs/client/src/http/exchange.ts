import { API_VERSION } from '@items/dtos/contract';
import type { Settings } from '../settings.js';
import { errorOfAnswer, type JsonObject, unexpected } from '../errors/error-of-answer.js';
import { ItemsApiError, ItemsNetworkError } from '../errors/items-api-error.js';
import type { OutgoingRequest, Send } from './outgoing-request.js';
import { API_VERSION_HEADER } from '../header-names.js';
import { withSignals } from './signals.js';

interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly isRedirect: boolean;
  /** Undefined if the body could not be read completely. */
  readonly text: string | undefined;
}

/** An error message. It does not quote the response, which may contain a secret. */
const CUT = 'The JSON of the response is cut';

/** Sends each request once. @param secrets No error may contain them. */
export function exchange(settings: Settings, secrets: () => readonly string[]): Send {
  const concealed = (text: string): string => conceal(text, secrets());
  const lost = ({ method, path }: OutgoingRequest, cause: unknown): ItemsNetworkError => {
    const what = `${method} /${String(path.split('?')[0])}`;
    return new ItemsNetworkError(concealed(`No whole answer to ${what}: ${reasonOf(cause)}.`), { cause });
  };

  return async (request) => {
    const { method, path, attempt = 1 } = request;
    const url = settings.baseUrl + path;
    const shown = headersOf(request, settings);
    settings.onRequest?.({ method, url, attempt, headers: shown });
    const startedMs = Date.now();
    const reply = await replyTo(request, url, shown, settings).catch((cause: unknown) => {
      request.signal?.throwIfAborted();
      throw cause instanceof ItemsApiError ? cause : lost(request, cause);
    });
    const { status, headers } = reply;
    request.onAnswer?.(headers);
    settings.onResponse?.({ method, url, attempt, status, headers, durationMs: Date.now() - startedMs });

    if (reply.isRedirect) throw unexpected(status, redirectNote(headers, settings.baseUrl));
    const isSuccess = status >= 200 && status < 300;
    const isCurrent = status === 304 && request.headers?.['if-none-match'] !== undefined;
    if (isCurrent || (isSuccess && request.isEmpty === true)) return { status, headers, text: '', body: {} };

    const body = bodyOf(reply);
    if (body === 'cut' && !saysEnough(status)) throw lost(request, new Error(CUT));
    if (isSuccess && typeof body === 'object') return { status, headers, text: reply.text ?? '', body };
    const known = typeof body === 'object' ? withoutSecrets(body, concealed) : undefined;
    throw errorOfAnswer({ status, headers, body: known }, settings.retry.maxDelayMs);
  };
}

/** Removes the secrets, because an error response may quote the request. */
function withoutSecrets(body: JsonObject, conceal: (text: string) => string): JsonObject {
  const strip = (_: string, value: unknown): unknown => (typeof value === 'string' ? conceal(value) : value);
  return JSON.parse(JSON.stringify(body), strip) as JsonObject;
}

function headersOf({ headers }: OutgoingRequest, { userAgent }: Settings): Headers {
  const own = { accept: 'application/json', [API_VERSION_HEADER]: API_VERSION, ...headers };
  return new Headers({ ...own, ...(userAgent !== undefined && { 'user-agent': userAgent }) });
}

async function replyTo(request: OutgoingRequest, url: string, shown: Headers, settings: Settings): Promise<Reply> {
  const { method, body, credential, timeoutMs = settings.timeoutMs } = request;
  const headers = new Headers(shown);
  if (credential !== undefined) headers.set(credential.name, credential.value);
  return withSignals([request.signal], timeoutMs, async (signal) => {
    // Following a redirect could send the credential to another origin.
    const fixed = { redirect: 'manual', credentials: 'omit' } as const;
    const response = await settings.fetch(url, { ...fixed, method, headers, signal, body: body ?? null });
    const { status, type } = response;
    const text = await readText(response).catch((error: unknown) => {
      if (saysEnough(status)) return undefined;
      throw error;
    });
    const isRedirect = type === 'opaqueredirect' || (status >= 300 && status < 400 && status !== 304);
    return { status, headers: response.headers, isRedirect, text };
  });
}

/** Whether the status alone decides the next step, so that a truncated body does not matter. */
function saysEnough(status: number): boolean {
  return status === 429 || status >= 500;
}

/**
 * Parses a JSON object. `cut`: invalid JSON that starts with `{`, or whose media type is JSON or absent; `other`: any
 * other body.
 */
function bodyOf({ text, headers }: Reply): JsonObject | 'cut' | 'other' {
  if (text === undefined) return 'cut';
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null && !Array.isArray(body) ? (body as JsonObject) : 'other';
  } catch {
    return text.startsWith('{') || /[/+]json\b/i.test(headers.get('content-type') ?? '/json') ? 'cut' : 'other';
  }
}

function redirectNote(headers: Headers, baseUrl: string): string {
  const to = headers.get('location') ?? '';
  const origin = URL.canParse(to, baseUrl) ? new URL(to, baseUrl).origin : 'elsewhere';
  return `The redirect to ${origin} was not followed: correct baseUrl.`;
}

/** `fetch` throws a generic message, and the reason is in its `cause`. */
function reasonOf(error: unknown): string {
  const { cause, message } = error as Partial<Error>;
  return cause === undefined ? (message ?? String(error)) : reasonOf(cause);
}

/** 32 MiB, to protect the memory: the largest page of orders (20 orders with 100 lines each) has 1.8 MB. */
export const MAX_ANSWER_BYTES = 33_554_432;

/**
 * @throws {ItemsApiError} The body is longer than {@link MAX_ANSWER_BYTES}; the rest is not read.
 * @throws The error of `fetch` if the connection breaks.
 */
export async function readText(response: Response): Promise<string> {
  if (response.body === null) return '';
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.byteLength;
    if (bytes > MAX_ANSWER_BYTES) {
      // An error of the cancellation does not matter, because the body is no longer needed.
      reader.cancel().catch(() => undefined);
      throw unexpected(response.status, `The response exceeds ${String(MAX_ANSWER_BYTES)} bytes.`);
    }
    text += decoder.decode(value, { stream: true });
  }
}

const CONCEALED = '[credential]';

/** Replaces secrets, for example in the page of a proxy that quotes the request. */
function conceal(text: string, secrets: readonly string[]): string {
  return secrets.reduce((shown, secret) => (secret === '' ? shown : shown.replaceAll(secret, CONCEALED)), text);
}
