import type { Item } from '@items/dtos/contract';
import type { Answer, HttpClient } from '@items/testing';

/** A client with ordinary requests, which knows the correct response to each. */
export class WellBehaved {
  private count = 0;

  constructor(private readonly client: HttpClient) {}

  /** The life of one item. @returns the duration of each response, in milliseconds. */
  async round(): Promise<number[]> {
    const times: number[] = [];
    const timed = async (status: number, ask: () => Promise<Answer>): Promise<Answer> => {
      const begunAt = performance.now();
      const answer = await ask();
      times.push(performance.now() - begunAt);
      expect(answer.status).toBe(status);
      return answer;
    };
    this.count += 1;
    const name = `Lamp ${String(this.count)}`;
    const color = `c${String(this.count)}`;
    const created = await timed(201, () => this.client.post('/items', { name, color, price: 12.5 }));
    const item = created.json() as Item;
    const path = `/items/${item.id}`;
    expect(item).toMatchObject({ name, color, price: 12.5 });
    expect((await timed(200, () => this.client.get(path))).json()).toEqual(item);
    const listed = await timed(200, () => this.client.get(`/items?color=${color}`));
    expect(listed.json()).toMatchObject({ items: [item], total: 1 });
    const replaced = await timed(200, () =>
      this.client.put(path, { name: `${name}!`, color }, ['If-Match', String(created.header('etag'))]),
    );
    expect(replaced.json()).toMatchObject({ name: `${name}!`, price: null });
    await timed(204, () => this.client.delete(path));
    await timed(404, () => this.client.get(path));
    return times;
  }
}
