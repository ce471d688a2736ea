import fc from 'fast-check';

import { admin } from '../harness/clients.js';
import { createItem } from '../harness/items.js';
import { errorOf, fieldsOf, itemOf } from '../harness/reading.js';
import { itemBodies } from '../model/arbitraries.js';
import { judgeItem } from '../model/item-body.js';

const RUNS = { numRuns: 200, endOnFailure: false } as const;

describe('§2 Fields, for any body', () => {
  it('creating accepts the fields of the table, stores them, and names every other field', async () => {
    await fc.assert(
      fc.asyncProperty(itemBodies, async (body) => {
        const judgement = judgeItem(body);
        const answer = await admin.post('/items', body);
        if ('wrong' in judgement) {
          expect(fieldsOf(errorOf(answer, 422))).toEqual(judgement.wrong);
          return;
        }
        const item = itemOf(answer, 201);
        expect(item).toMatchObject(judgement.item);
        expect(itemOf(await admin.get(`/items/${item.id}`))).toEqual(item);
      }),
      RUNS,
    );
  });

  it('replacing validates as creating does, and changes nothing if it refuses', async () => {
    let before = await createItem();
    const target = `/items/${before.id}`;
    await fc.assert(
      fc.asyncProperty(itemBodies, async (body) => {
        const judgement = judgeItem(body);
        const answer = await admin.put(target, body);
        if ('wrong' in judgement) {
          expect(fieldsOf(errorOf(answer, 422))).toEqual(judgement.wrong);
        } else {
          const { id, created_at } = before;
          expect(itemOf(answer)).toMatchObject({ ...judgement.item, id, created_at });
          before = itemOf(answer);
        }
        expect(itemOf(await admin.get(target))).toEqual(before);
      }),
      RUNS,
    );
  });
});

describe('§7 For any bytes at all', () => {
  it('a body is accepted or refused with an error, the same each time', async () => {
    const json = fc.json({ maxDepth: 5 }).map((text) => Buffer.from(text));
    const cut = fc.tuple(fc.json(), fc.nat()).map(([text, at]) => Buffer.from(text.slice(0, at % (text.length + 1))));
    const any = fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes));
    await fc.assert(
      fc.asyncProperty(fc.oneof(json, cut, any), async (body) => {
        const options = { body, headers: [['Content-Type', 'application/json']] as const };
        const first = await admin.send('POST', '/items', options);
        expect([400, 422]).toContain(first.status);
        expect((await admin.send('POST', '/items', options)).text).toBe(first.text);
      }),
      RUNS,
    );
  });
});
