import { type Caller } from './exchange.js';

export interface Header {
  readonly name: string;
  readonly value: string;
}

const credentialNames = /auth|key|token|secret|cookie|password/i;

/** The headers of each {@link Caller}, with a valid credential, none, or an invalid one. */
export class Credentials {
  private readonly plain: readonly Header[];
  private readonly secret: readonly Header[];

  constructor(
    headers: readonly Header[],
    private readonly readOnly: readonly Header[],
  ) {
    const named = headers.filter(({ name }) => credentialNames.test(name));
    this.secret = named.length > 0 ? named : headers;
    this.plain = headers.filter((one) => !this.secret.includes(one));
  }

  get given(): boolean {
    return this.secret.length > 0;
  }

  get readOnlyGiven(): boolean {
    return this.readOnly.length > 0;
  }

  headersOf(caller: Caller): Record<string, string> {
    return Object.fromEntries([...this.plain, ...this.of(caller)].map(({ name, value }) => [name, value]));
  }

  /** Replaces a credential of the command line by a shell variable. */
  shellHeadersOf(caller: Caller): string[] {
    const variable = caller === 'reader' ? 'ITEMS_READ_ONLY_HEADER' : 'ITEMS_HEADER';
    const shown = this.of(caller).map(({ name, value }, index) =>
      caller === 'impostor' ? `'${name}: ${value}'` : `"$${variable}${index === 0 ? '' : `_${index + 1}`}"`,
    );
    return [...this.plain.map(({ name, value }) => `'${name}: ${value}'`), ...shown];
  }

  /** Secrets without their scheme, such as `Bearer`. */
  get secrets(): string[] {
    return this.secret.map(({ value }) => bareSecret(value));
  }

  /** Replaces all credentials, because a response may repeat them. */
  redact(text: string): string {
    const known = [...this.secret, ...this.readOnly].flatMap(({ value }) => [value, bareSecret(value)]);
    const passwords = known.map(decodedPassword).filter((password) => password !== undefined);
    const longestFirst = [...known, ...passwords]
      .filter(({ length }) => length > 2)
      .sort((a, b) => b.length - a.length);
    return longestFirst.reduce((shown, secret) => shown.replaceAll(secret, '[credential]'), text);
  }

  private of(caller: Caller): readonly Header[] {
    if (caller === 'writer') return this.secret;
    if (caller === 'reader') return this.readOnly;
    return caller === 'anonymous' ? [] : this.secret.map(invented);
  }
}

/** Makes an invalid credential of the same form. */
function invented({ name, value }: Header): Header {
  const scheme = /^(\w+) /.exec(value)?.[1];
  if (scheme?.toLowerCase() === 'basic') {
    return { name, value: `${scheme} ${Buffer.from('no-such-user:wrong password').toString('base64')}` };
  }
  return { name, value: scheme === undefined ? 'not-a-valid-credential' : `${scheme} not-a-valid-credential` };
}

function bareSecret(value: string): string {
  return value.slice(value.lastIndexOf(' ') + 1);
}

function decodedPassword(secret: string): string | undefined {
  const decoded = Buffer.from(secret, 'base64').toString('utf8');
  const colon = decoded.indexOf(':');
  return colon > 0 && /^[\x20-\x7e]+$/.test(decoded) ? decoded.slice(colon + 1) : undefined;
}
