import { admin, anonymous } from '../harness/clients.js';
import { errorOf, expectStatus } from '../harness/reading.js';

describe('Health', () => {
  it.each(['/health/live', '/health/ready'])(
    '%s returns 200 without credentials, and must not be cached',
    async (path) => {
      const answer = await anonymous.get(path);
      expectStatus(answer, 200);
      expect(typeof answer.json()).toBe('object');
      expect(answer.header('cache-control')).toMatch(/no-store|no-cache/);
      expectStatus(await anonymous.head(path), 200);
    },
  );

  it('a credential, even a bad one, makes no difference', async () => {
    expectStatus(await admin.get('/health/ready'), 200);
    expectStatus(await anonymous.get('/health/ready', ['X-API-Key', 'bad']), 200);
  });

  it('nothing else is below /health', async () => {
    errorOf(await anonymous.get('/health'), 404);
    errorOf(await anonymous.get('/health/database'), 404);
  });
});
