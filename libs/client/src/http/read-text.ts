import { unexpected } from '../errors/error-of-answer.js';

/** More than four times the size of a page of 100 orders with 100 lines each. */
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
      // The body is no longer needed, so a failed cancellation does not matter.
      reader.cancel().catch(() => undefined);
      throw unexpected(response.status, `The response exceeds ${String(MAX_ANSWER_BYTES)} bytes.`);
    }
    text += decoder.decode(value, { stream: true });
  }
}
