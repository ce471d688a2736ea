declare module 'fastify' {
  interface FastifyInstance {
    /** Without a trailing slash. The proxy has already removed this path of the public address from request targets. */
    readonly basePath: string;
  }
}

export function basePathOf(publicAddress: string | URL): string {
  return new URL(publicAddress).pathname.replace(/\/$/, '');
}
