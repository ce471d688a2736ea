/** Tells the operator something, on the terminal: never through the log, which keeps no secret. */
export function printNotice(text: string): void {
  process.stdout.write(`${text}\n`);
}
