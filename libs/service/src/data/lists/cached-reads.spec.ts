import { type CachedReads, cachedReads } from './cached-reads.js';

describe('A cached read of a list', () => {
  const make = jest.fn(() => ({}));
  let reads: CachedReads<object>;

  const get = (form: string): object => reads.memo(form, { context: make });
  const madeAnew = (form: string): boolean => {
    make.mockClear();
    get(form);
    return make.mock.calls.length > 0;
  };

  beforeEach(() => {
    reads = cachedReads();
  });

  it('is found by its form', () => {
    const [one, other] = [get('one'), get('other')];
    expect([get('one'), get('one'), get('other')]).toEqual([one, one, other]);
    expect([madeAnew('one'), madeAnew('other'), madeAnew('third')]).toEqual([false, false, true]);
  });

  it('is evicted after a hundred others were used, and not earlier', () => {
    get('old');
    get('used');
    for (let n = 0; n < 98; n += 1) get(`form ${String(n)}`);
    get('used');
    get('one more');
    expect([madeAnew('used'), madeAnew('old')]).toEqual([false, true]);
  });

  it('is not cached if its form is long: it contains values that clients choose', () => {
    const form = 'x'.repeat(1025);
    expect([madeAnew(form), madeAnew(form), madeAnew(form.slice(1)), madeAnew(form.slice(1))]).toEqual([
      true,
      true,
      true,
      false,
    ]);
  });
});
