declare module 'fastify' {
  interface FastifyInstance {
    /** Path of the public address, without a trailing slash. The proxy has already removed it from request targets. */
    readonly basePath: string;
  }
}

/** Returns the path of a public address, without a trailing slash. */
export function basePathOf(publicAddress: string | URL): string {
  return new URL(publicAddress).pathname.replace(/\/$/, '');
}
