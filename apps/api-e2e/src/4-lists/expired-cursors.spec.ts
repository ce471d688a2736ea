import { HttpClient, itemInput, startApp, type RunningApp } from '@items/testing';

import { conventions } from '../harness/conventions.js';
import { moveClock, movableClock } from '../harness/movable-clock.js';
import { cursorPageOf, errorOf, expectStatus } from '../harness/reading.js';
import { databaseUnderTest, describeStarted } from '../harness/service.js';

/** Different walks: after the deletion of the last item, one of them has no further rows. */
const QUERIES = ['limit=2', 'limit=2&sort=-price', 'limit=2&color=red', 'limit=3'];

describeStarted('§4 An expired cursor is 400 and says that the walk must restart', () => {
  let app: RunningApp;
  let client: HttpClient;

  beforeAll(async () => {
    app = await startApp({ database: databaseUnderTest(), env: { ...movableClock, CURSOR_TTL: '60' } });
    client = new HttpClient({
      baseUrl: app.baseUrl,
      headers: [['X-API-Key', app.adminKey]],
      observers: [conventions],
    });
    for (let i = 0; i < 4; i += 1) expectStatus(await client.post('/items', itemInput()), 201);
  });
  afterAll(() => app.stop());

  it('the response does not depend on the number of remaining rows', async () => {
    const cursors = new Map<string, string>();
    for (const query of QUERIES) {
      const { next_cursor: cursor } = cursorPageOf(await client.get(`/items?${query}`));
      cursors.set(query, `/items?${query}&cursor=${encodeURIComponent(cursor ?? '')}`);
    }
    for (const target of cursors.values()) expectStatus(await client.get(target), 200);
    const all = cursorPageOf(await client.get('/items?limit=100')).items;
    await client.delete(`/items/${all.at(-1)?.id ?? ''}`);
    await moveClock(app, 61);
    for (const target of cursors.values()) {
      const error = errorOf(await client.get(target), 400);
      expect(error.error).toMatch(/restart/i);
      expect(error.code).toContain('expired');
    }
    for (const query of QUERIES) expectStatus(await client.get(`/items?${query}`), 200);
  });
});
