/** The part of a request that this folder uses, of Express or Fastify. */
export interface HttpRequest {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The request target with the prefix of a mounted router, which Express removes from `url`. */
  readonly originalUrl?: string;
  readonly url: string;
  /** The body as parsed by the platform. */
  readonly body?: unknown;
  /** Set in an app created with `rawBody: true`. */
  readonly rawBody?: Uint8Array;
}

/** Returns a header that occurs at most once. */
export function headerOf({ headers }: HttpRequest, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : undefined;
}
