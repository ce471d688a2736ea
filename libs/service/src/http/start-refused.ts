/** A part of the application would not work as written. The message is one sentence that names the alternative. */
export class StartRefusedError extends Error {
  override readonly name = 'StartRefusedError';

  constructor(sentence: string) {
    super(sentence);
    // Node prints the stack of an uncaught error, and the sentence is enough.
    this.stack = `${this.name}: ${sentence}`;
  }
}
