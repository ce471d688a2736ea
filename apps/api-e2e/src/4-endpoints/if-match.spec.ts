import type { Answer, Header } from '@items/testing';

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

  async function writes(...headers: readonly Header[]): Promise<Answer[]> {
    return [await admin.put(target, { name: 'Desk' }, ...headers), await admin.delete(target, ...headers)];
  }

  it.each([
    ['the ETag', (): string => etag],
    ['*', (): string => '*'],
    ['a list that holds it', (): string => `"a", ${etag}`],
    ['a list of it and a weak tag', (): string => `W/"a", ${etag}`],
  ])('succeeds for %s', async (_title, condition) => {
    itemOf(await admin.put(target, { name: 'Desk' }, ['If-Match', condition()]));
    etag = (await admin.get(target)).header('etag') ?? '';
    expectStatus(await admin.delete(target, ['If-Match', condition()]), 204);
  });

  it.each([
    ['another one', (): string => '"another"'],
    ['a list without it', (): string => '"a", "b"'],
    ['an empty tag', (): string => '""'],
    ['its weak form beside another tag', (): string => `"a", W/${etag}`],
  ])('fails for %s, and changes nothing', async (_title, condition) => {
    const before = await readItem(id);
    for (const answer of await writes(['If-Match', condition()])) {
      expect(errorOf(answer, 412).code).toBe('precondition_failed');
    }
    expect(await readItem(id)).toEqual(before);
  });

  it.each([
    ['the weak form of the ETag', (): string => `W/${etag}`],
    ['weak tags alone', (): string => `W/"a", W/"b"`],
  ])('blames a proxy for %s, not a change of the resource', async (_title, condition) => {
    const before = await readItem(id);
    const header = ['If-Match', condition()] as const;
    for (const answer of [...(await writes(header)), await admin.get(target, header)]) {
      const { code, error } = errorOf(answer, 412);
      expect(code).toBe('weak_etag');
      expect(error).toMatch(/proxy/);
      expect(error).not.toMatch(/has changed/);
    }
    expect(await readItem(id)).toEqual(before);
  });

  it('takes several header lines as one list', async () => {
    const lines = ['"a"', etag].map((tag) => ['If-Match', tag] as const);
    itemOf(await admin.put(target, { name: 'Desk' }, ...lines));
    for (const answer of await writes(...lines)) expect(errorOf(answer, 412).code).toBe('precondition_failed');
    const current = (await admin.get(target)).header('etag') ?? '';
    const known = await admin.get(target, ['If-None-Match', '"a"'], ['If-None-Match', `W/${current}`]);
    expectStatus(known, 304);
    errorOf(await admin.delete(target, ['If-Match', current], ['If-Match', '*']), 400);
    expectStatus(await admin.delete(target, ['If-Match', 'W/"a"'], ['If-Match', current]), 204);
  });

  it('fails for the ETag of an earlier state', async () => {
    itemOf(await admin.put(target, { name: 'Desk' }, ['If-Match', etag]));
    errorOf(await admin.put(target, { name: 'Chair' }, ['If-Match', etag]), 412);
    errorOf(await admin.delete(target, ['If-Match', etag]), 412);
    expect((await readItem(id)).name).toBe('Desk');
  });

  it('is checked after 422 and after 404', async () => {
    errorOf(await admin.put(target, {}, ['If-Match', '"another"']), 422);
    errorOf(await admin.put('/items/x', { name: 'Desk' }, ['If-Match', '*']), 404);
    errorOf(await admin.delete('/items/x', ['If-Match', '"another"']), 404);
  });

  it('exactly one of 64 racing writers gets 200, and the others get 412', async () => {
    const racers = Array.from({ length: 64 }, (_, i) => admin.put(target, { name: `Writer ${i}` }, ['If-Match', etag]));
    const answers = await Promise.all(racers);
    const winners = answers.filter((answer) => answer.status === 200);
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, ...Array<number>(63).fill(412)]);
    expect(winners.map((answer) => itemOf(answer))).toEqual([await readItem(id)]);
  });

  it('exactly one of racing writers and removers succeeds', async () => {
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
