import { unexpected } from '../errors/error-of-answer.js';

/** A page of a hundred orders of a hundred lines each stays below a quarter of this. */
export const MAX_ANSWER_BYTES = 33_554_432;

/**
 * The body of an answer, read to its end.
 * @throws {ItemsApiError} where it is longer than {@link MAX_ANSWER_BYTES}; the rest is not read.
 * @throws whatever `fetch` says of a connection that breaks.
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
      // What a cancellation fails with is of no interest.
      reader.cancel().catch(() => undefined);
      throw unexpected(response.status, `The response exceeds ${String(MAX_ANSWER_BYTES)} bytes.`);
    }
    text += decoder.decode(value, { stream: true });
  }
}
