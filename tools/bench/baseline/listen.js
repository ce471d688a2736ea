/** Listens, and sends the address to the parent process. @param {import('fastify').FastifyInstance} app */
export async function listen(app) {
  const address = await app.listen({ port: 0, host: '127.0.0.1' });
  process.send?.({ address });
}
