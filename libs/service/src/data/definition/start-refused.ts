/** The service cannot start as written. The message is one sentence that names the alternative. */
export class StartRefusedError extends Error {
  override readonly name = 'StartRefusedError';

  constructor(sentence: string) {
    super(sentence);
    toSentence(this);
  }
}

const sentences = new WeakSet();
let isWatching = false;

/**
 * Removes the stack of an error, and lets it end the process with its message alone if no code catches it. Node itself
 * would print a line of the source and its version around the message.
 */
export function toSentence(error: Error): void {
  error.stack = `${error.name}: ${error.message}`;
  sentences.add(error);
  if (isWatching) return;
  isWatching = true;
  process.on('uncaughtExceptionMonitor', printSentence);
  // Node raises an uncaught rejection before the next turn of the event loop. Afterwards no listener remains.
  setImmediate(() => {
    process.off('uncaughtExceptionMonitor', printSentence);
    isWatching = false;
  }).unref();
}

function printSentence(error: Error): void {
  if (!sentences.has(error) || process.listenerCount('uncaughtException') > 0) return;
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}
