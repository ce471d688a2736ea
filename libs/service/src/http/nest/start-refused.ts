/** A part of the application would not work as it reads. The message is one sentence that says what to use instead. */
export class StartRefusedError extends Error {
  override readonly name = 'StartRefusedError';
}
