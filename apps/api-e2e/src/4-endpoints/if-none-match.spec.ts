import { admin } from '../harness/clients.js';
import { createItem, readItem } from '../harness/items.js';
import { errorOf, expectStatus, itemOf } from '../harness/reading.js';

describe('§4 PUT and DELETE honour If-None-Match → 412 (RFC 9110 §13.1.2)', () => {
  let target: string;
  let id: string;
  let etag: string;

  beforeEach(async () => {
    id = (await createItem()).id;
    target = `/items/${id}`;
    etag = (await admin.get(target)).header('etag') ?? '';
  });

  it.each([
    ['the ETag', (): string => etag],
    ['its weak form', (): string => `W/${etag}`],
    ['a list that holds it', (): string => `"a", ${etag}`],
    ['*', (): string => '*'],
  ])('fails for %s, and changes nothing', async (_title, condition) => {
    const before = await readItem(id);
    errorOf(await admin.put(target, { name: 'Desk' }, ['If-None-Match', condition()]), 412);
    errorOf(await admin.delete(target, ['If-None-Match', condition()]), 412);
    expect(await readItem(id)).toEqual(before);
  });

  it('succeeds for another ETag', async () => {
    itemOf(await admin.put(target, { name: 'Desk' }, ['If-None-Match', etag.replace('"', '"x')]));
    expectStatus(await admin.delete(target, ['If-None-Match', etag]), 204);
  });

  it('is checked after If-Match (RFC 9110 §13.2.2), and after 404', async () => {
    const both = [
      ['If-None-Match', '*'],
      ['If-Match', '"another"'],
    ] as const;
    const { error } = errorOf(await admin.put(target, { name: 'Desk' }, ...both), 412);
    expect(error).not.toContain('If-None-Match');
    errorOf(await admin.put('/items/x', { name: 'Desk' }, ['If-None-Match', '*']), 404);
    errorOf(await admin.put(target, { name: 'Desk' }, ['If-None-Match', 'no tag']), 400);
  });

  it('none of 16 racing writers that have not seen the state succeeds', async () => {
    const racers = Array.from({ length: 16 }, (_, i) =>
      admin.put(target, { name: `Writer ${i}` }, ['If-None-Match', '*']),
    );
    expect((await Promise.all(racers)).map(({ status }) => status)).toEqual(Array<number>(16).fill(412));
  });
});
