/** The properties of a request of Express or Fastify that this folder uses. */
export interface HttpRequest {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** With the prefix of a mounted router, which Express removes from `url`. */
  readonly originalUrl?: string;
  readonly url: string;
  readonly body?: unknown;
  /** Present in an app created with `rawBody: true`. */
  readonly rawBody?: Uint8Array;
}

/** Only for a header that occurs at most once. */
export function headerOf({ headers }: HttpRequest, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : undefined;
}
