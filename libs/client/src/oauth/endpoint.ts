import { LoginError } from './login-options.js';

const TIMEOUT_MS = 30_000;

/**
 * Posts a form once, without cookies. RFC 6749 appendix B
 * @throws {LoginError} The message contains no field of the form.
 */
export async function postForm(
  url: string,
  fields: Readonly<Record<string, string>>,
  timeoutMs = TIMEOUT_MS,
): Promise<Record<string, unknown>> {
  let status = 0;
  let body: Record<string, unknown>;
  try {
    const response = await fetch(url, {
      method: 'POST',
      body: new URLSearchParams(fields),
      credentials: 'omit',
      redirect: 'error',
      cache: 'no-store',
      signal: AbortSignal.timeout(timeoutMs),
    });
    status = response.status;
    const text = await response.text();
    body = status === 200 && text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
  } catch (cause) {
    throw new LoginError('no_answer', `No valid response from ${url}${status ? `: HTTP ${String(status)}` : ''}.`, {
      cause,
    });
  }
  if (status === 200) return body;
  const { error, error_description: description } = body;
  const message = typeof description === 'string' ? description : `${url} refused: HTTP ${String(status)}.`;
  throw new LoginError(typeof error === 'string' ? error : 'no_answer', message);
}
