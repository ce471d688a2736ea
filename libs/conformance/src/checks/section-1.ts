import { specified } from './specified.js';
import { expectStatus, expectThat, Unmet } from '../verdict.js';
import { idsOf, nextCursor, queryOf } from '../pages/walk.js';
import { cookieOf } from '../service/exchange.js';
import { errorBody } from './error-answers.js';

export const section1 = specified([], {
  '1.json.answers': {
    sentence: 'Bodies are JSON, in requests and in responses.',
    needs: ['items.write'],
    run: async ({ items, service }) => {
      const item = await items.create();
      const later = [await service.get(item.path), await items.replace(item), await service.get('/items')];
      // A 201 may be empty, because the seed specification does not require the new item in the body.
      const successes = [item.created, ...later].filter(({ status }) => status < 300);
      for (const answer of successes.filter(({ status, text }) => !(status === 201 && text === ''))) {
        expectThat(answer.json !== undefined, answer, 'a JSON body');
      }
    },
  },
  '1.json.errors': errorBody('no JSON', 'Bodies are JSON, including error responses.', 'a JSON body'),
  '1.self-contained.credentials': {
    sentence:
      'The server keeps no session memory between calls, and credentials go on every request: neither a connection nor a cookie stands for them.',
    needs: ['credential'],
    run: async ({ service }) => {
      const connection = 'remembered';
      const known = await service.get('/items', { connection });
      const cookie = cookieOf(known);
      const headers: Record<string, string> = cookie === '' ? {} : { Cookie: cookie };
      const again = await service.get('/items', { connection, as: 'anonymous', headers });
      expectThat(again.status >= 400, again, '401 after a request with credentials on the same connection');
    },
  },
  '1.self-contained.lists': {
    sentence: 'Each request is self-contained: the server keeps no session memory of earlier lists.',
    needs: ['items.write', 'offset'],
    run: async ({ service, items }) => {
      await items.createMany(3);
      // Try three times, because other clients may write between two requests.
      for (let attempt = 1; ; attempt++) {
        const first = await service.get('/items?page=1&per_page=2');
        const second = await service.get('/items?page=1&per_page=2', { connection: 'another' });
        await service.get('/items?page=2&per_page=1');
        const third = await service.get('/items?page=1&per_page=2');
        const again = [second, third].find((list) => idsOf(list).join() !== idsOf(first).join());
        if (again === undefined) return;
        if (attempt === 3) throw new Unmet(again, `the same items as before, ${idsOf(first).join(', ')}`);
      }
    },
  },
  '1.self-contained.cursors': {
    sentence: 'Each request is self-contained: a cursor says all, also when it is sent again after another list.',
    needs: ['items.write', 'cursor'],
    run: async ({ service, items }) => {
      await items.createMany(4);
      const cursor = nextCursor(await service.get('/items?limit=2'));
      if (cursor === undefined) return;
      const path = `/items${queryOf({ limit: 1, cursor })}`;
      const first = await service.get(path);
      await service.get('/items?limit=1');
      const again = await service.get(path, { connection: 'another' });
      expectStatus(again, first.status);
      expectThat(idsOf(first).join() === idsOf(again).join(), again, `the same item as before, ${idsOf(first).join()}`);
    },
  },
  '1.self-contained.no-cookie': {
    sentence: 'The server keeps no session memory between calls: no request depends on a cookie of an earlier one.',
    run: async ({ service, found }) => {
      if (found.cookie === '') return;
      const withCookie = await service.get('/items', { headers: { Cookie: found.cookie } });
      expectStatus(await service.get('/items', { connection: 'another' }), withCookie.status);
    },
  },
});
