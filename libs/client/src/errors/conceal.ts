const CONCEALED = '[credential]';

/** Replaces secrets, for example in the page of a proxy that repeats the request. */
export function conceal(text: string, secrets: readonly string[]): string {
  return secrets.reduce((shown, secret) => (secret === '' ? shown : shown.replaceAll(secret, CONCEALED)), text);
}
