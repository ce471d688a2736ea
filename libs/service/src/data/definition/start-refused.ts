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

/** Uncaught, the error ends the process with its message alone. Node would add a source line and its version. */
export function toSentence(error: Error): void {
  error.stack = `${error.name}: ${error.message}`;
  sentences.add(error);
  if (isWatching) return;
  isWatching = true;
  process.on('uncaughtExceptionMonitor', printSentence);
  // Node raises an uncaught rejection before the next turn of the event loop, so the listener can go then.
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
