/** Stands for a credential in a message. */
const CONCEALED = '[credential]';

/** A text of others without the secrets that it may repeat, such as a page on which a proxy shows what it was sent. */
export function conceal(text: string, secrets: readonly string[]): string {
  return secrets.reduce((shown, secret) => (secret === '' ? shown : shown.replaceAll(secret, CONCEALED)), text);
}
