declare module 'fastify' {
  interface FastifyInstance {
    /** Path of the public address, without a slash at its end. A proxy has removed it from the requests. */
    readonly basePath: string;
  }
}

/** Returns the path of a public address, without a slash at its end. */
export function basePathOf(publicAddress: string | URL): string {
  return new URL(publicAddress).pathname.replace(/\/$/, '');
}
