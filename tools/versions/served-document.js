/**
 * The OpenAPI document of the built service, as it would be in production.
 * @returns {Promise<string>}
 */
export async function servedDocument() {
  const { startApp } = await import('@items/testing');
  const app = await startApp({ database: 'sqlite', env: { BASE_URL: 'https://api.example.com' } });
  try {
    const answer = await fetch(`${app.baseUrl}/openapi.json`);
    if (answer.status !== 200) throw new Error(`/openapi.json answered ${answer.status}`);
    return await answer.text();
  } finally {
    await app.stop('SIGKILL');
  }
}
