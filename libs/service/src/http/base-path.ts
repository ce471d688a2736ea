declare module 'fastify' {
  interface FastifyInstance {
    /** Path of the public address, without a trailing slash. The proxy has removed it from request targets. */
    readonly basePath: string;
  }
}

export function basePathOf(publicAddress: string | URL): string {
  return new URL(publicAddress).pathname.replace(/\/$/, '');
}
