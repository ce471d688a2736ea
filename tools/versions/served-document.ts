import { workspacePath } from '../workspace/root.ts';
import { runNode } from '../workspace/run.ts';

const env = { BASE_URL: 'https://api.example.com' };

/** Returns the OpenAPI document that the built service serves in production mode. */
export async function servedDocument(): Promise<string> {
  const { startApp } = await import('@items/testing');
  const app = await startApp({ database: 'sqlite', env });
  try {
    const answer = await fetch(`${app.baseUrl}/openapi.json`);
    if (answer.status !== 200) throw new Error(`/openapi.json returned ${answer.status}`);
    return await answer.text();
  } finally {
    await app.stop('SIGKILL');
  }
}

/** Returns the whole OpenAPI document. The service serves a short form (ADR 76). */
export async function wholeDocument(): Promise<string> {
  const { ok, output } = await runNode([workspacePath('apps/api-e2e/whole-document.js')], {
    output: 'collect',
    env,
  });
  if (!ok) throw new Error(output);
  return output;
}
