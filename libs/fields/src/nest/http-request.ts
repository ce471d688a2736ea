/** As much of a request as is needed; it is Express's, or Fastify's with Node's own inside. */
export interface HttpRequest {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The target that was asked for: Express takes the prefix of a mounted router from `url`. */
  readonly originalUrl?: string;
  readonly url: string;
  /** What the body parser of the platform has made of the body. */
  readonly body?: unknown;
  /** Where the app was created with `rawBody: true`. */
  readonly rawBody?: Uint8Array;
}

/** A header that a request has once; undefined for none. */
export function headerOf({ headers }: HttpRequest, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : undefined;
}
