import { API_VERSION, API_VERSIONS } from '@items/dtos/contract';

import { admin, anonymous } from '../harness/clients.js';
import { errorOf, expectStatus } from '../harness/reading.js';

const today = new Date().toISOString().slice(0, 10);
const SUPPORTED = API_VERSIONS.filter(({ end }) => end === undefined || today < end.on).map(({ version }) => version);

describe('§9 Api-Version: YYYY-MM-DD', () => {
  it('is echoed on every response; without it the current version', async () => {
    for (const target of ['/items', '/items/x', '/nothing', '/health/live', '/items?foo=1', '/items/%ZZ']) {
      expect((await admin.get(target)).header('api-version')).toBe(API_VERSION);
    }
    expect(API_VERSION).toMatch(/^\d{4}-\d\d-\d\d$/);
  });

  it.each(SUPPORTED)('%s is supported', async (version) => {
    const answer = await admin.get('/items', ['Api-Version', version]);
    expectStatus(answer, 200);
    expect(answer.header('api-version')).toBe(version);
  });

  it.each(['1999-01-01', '2999-12-31', '1', 'latest', '', 'x'.repeat(1000), '2026-11-20, 2026-11-20', "'"])(
    'an unknown one is 400 and lists the supported ones: "%s"',
    async (version) => {
      const { error } = errorOf(await admin.get('/items', ['Api-Version', version]), 400);
      for (const supported of SUPPORTED) expect(error).toContain(supported);
      expect(errorOf(await admin.post('/items', { name: 'Lamp' }, ['Api-Version', version]), 400).error).toBe(error);
    },
  );
});

describe('§9 /docs/versions/{version}', () => {
  it.each(API_VERSIONS)('shows the changes and the end of $version, without a credential', async ({ version }) => {
    const answer = await anonymous.get(`/docs/versions/${version}`);
    expectStatus(answer, 200);
    expect(answer.header('content-type')).toBe('text/html; charset=utf-8');
    expect(answer.text).toContain(`<h1>Version ${version}</h1>`);
    if (version === API_VERSION) expect(answer.text).toContain('This is the current version.');
  });

  it('is 404 for a version that never was', async () => {
    expect(errorOf(await anonymous.get('/docs/versions/1999-01-01'), 404).code).toBe('route_not_found');
  });
});

describe('§9 /openapi.json describes the requested version', () => {
  it.each(SUPPORTED)('%s', async (version) => {
    const answer = await anonymous.get('/openapi.json', ['Api-Version', version]);
    expectStatus(answer, 200);
    expect(answer.json()).toMatchObject({ info: { version } });
  });
});
