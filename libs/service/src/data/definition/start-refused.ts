/** A mistake in the code prevents the start. The message is one sentence with the remedy. */
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
 * If the error is uncaught, the process prints only the message and ends. Node would add a source line and its version.
 */
export function toSentence(error: Error): void {
  error.stack = `${error.name}: ${error.message}`;
  sentences.add(error);
  if (isWatching) return;
  isWatching = true;
  process.on('uncaughtExceptionMonitor', printSentence);
  // Node raises an uncaught rejection before this callback runs.
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
