import { admin } from '../harness/clients.js';
import { createItem, readItem } from '../harness/items.js';
import { errorOf, expectStatus, itemOf } from '../harness/reading.js';

describe('§4 PUT and DELETE honour If-Match → 412', () => {
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
    ['*', (): string => '*'],
    ['a list that holds it', (): string => `"a", ${etag}`],
  ])('holds for %s', async (_title, condition) => {
    itemOf(await admin.put(target, { name: 'Desk' }, ['If-Match', condition()]));
    etag = (await admin.get(target)).header('etag') ?? '';
    expectStatus(await admin.delete(target, ['If-Match', condition()]), 204);
  });

  it.each([
    ['another one', (): string => '"another"'],
    ['a list without it', (): string => '"a", "b"'],
    ['its weak form, which never matches strongly', (): string => `W/${etag}`],
    ['an empty tag', (): string => '""'],
  ])('fails for %s, and changes nothing', async (_title, condition) => {
    const before = await readItem(id);
    errorOf(await admin.put(target, { name: 'Desk' }, ['If-Match', condition()]), 412);
    errorOf(await admin.delete(target, ['If-Match', condition()]), 412);
    expect(await readItem(id)).toEqual(before);
  });

  it('fails for the ETag of an earlier state', async () => {
    itemOf(await admin.put(target, { name: 'Desk' }, ['If-Match', etag]));
    errorOf(await admin.put(target, { name: 'Chair' }, ['If-Match', etag]), 412);
    errorOf(await admin.delete(target, ['If-Match', etag]), 412);
    expect((await readItem(id)).name).toBe('Desk');
  });

  it('comes after 422 and after 404', async () => {
    errorOf(await admin.put(target, {}, ['If-Match', '"another"']), 422);
    errorOf(await admin.put('/items/x', { name: 'Desk' }, ['If-Match', '*']), 404);
    errorOf(await admin.delete('/items/x', ['If-Match', '"another"']), 404);
  });

  it('also when 64 writers race: exactly one 200, the others 412', async () => {
    const racers = Array.from({ length: 64 }, (_, i) => admin.put(target, { name: `Writer ${i}` }, ['If-Match', etag]));
    const answers = await Promise.all(racers);
    const winners = answers.filter((answer) => answer.status === 200);
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, ...Array<number>(63).fill(412)]);
    expect(winners.map((answer) => itemOf(answer))).toEqual([await readItem(id)]);
  });

  it('also when writers and removers race: exactly one of all succeeds', async () => {
    const racers = Array.from({ length: 32 }, (_, i) =>
      i % 2 === 0
        ? admin.put(target, { name: `Writer ${i}` }, ['If-Match', etag])
        : admin.delete(target, ['If-Match', etag]),
    );
    const statuses = (await Promise.all(racers)).map((answer) => answer.status);
    expect(statuses.filter((status) => status < 300)).toHaveLength(1);
    expect(statuses.filter((status) => ![200, 204, 404, 412].includes(status))).toEqual([]);
  });
});
