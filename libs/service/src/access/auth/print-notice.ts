/** Prints a notice for the operator on the terminal. Unlike the log, it may contain a secret. */
export function printNotice(text: string): void {
  process.stdout.write(`${text}\n`);
}
