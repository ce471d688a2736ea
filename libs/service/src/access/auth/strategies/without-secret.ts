const REDACTED = '[redacted]';

/** Copies an error for the log, without the secret in its texts and without other properties. */
export function withoutSecret(error: unknown, secret: string): Error {
  const { name, message, stack } = error instanceof Error ? error : new Error(String(error));
  const redact = (text: string): string => (secret === '' ? text : text.replaceAll(secret, REDACTED));
  const copy = new Error(redact(message));
  copy.name = name;
  copy.stack = redact(stack ?? '');
  return copy;
}
