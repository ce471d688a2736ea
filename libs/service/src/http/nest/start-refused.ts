/** A part of the application would not work as it reads. The message is one sentence that says what to use instead. */
export class StartRefusedError extends Error {
  override readonly name = 'StartRefusedError';

  constructor(sentence: string) {
    super(sentence);
    // Node prints the stack of an error that is not caught, and the sentence says everything.
    this.stack = `${this.name}: ${sentence}`;
  }
}
