/** Unlike the log, the terminal may show a secret. */
export function printNotice(text: string): void {
  process.stdout.write(`${text}\n`);
}
