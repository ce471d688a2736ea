import { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';

import { CpuClock, RequestQueue } from './request-queue.js';
import {
  LONG_WORK_MS,
  MAX_QUEUE_MS,
  MAX_TURN_MS,
  MAX_WAIT_MS,
  MAX_IN_PROGRESS_UNREFUSED,
  PIECE_MS,
} from '../limits.js';
import { waitForSlot, QUEUED_AT, REFUSAL, pauseForEvent, type ReceivedRequest } from '../received-request.js';

const isRefused = (message: ReceivedRequest): boolean => message[REFUSAL] !== undefined;

describe('Requests of several credentials (SPEC §4.1)', () => {
  let immediates: (() => void)[];
  let nowMs: number;
  let queue: RequestQueue;
  /** Undefined if the CPU time equals the wall time. */
  let cpuMs: number | undefined;
  let started: string[];
  let refused: string[];

  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['performance', 'setImmediate', 'nextTick', 'queueMicrotask'] });
    immediates = [];
    jest.spyOn(globalThis, 'setImmediate').mockImplementation((callback) => {
      immediates.push(callback);
      return {} as NodeJS.Immediate;
    });
    nowMs = 1_000_000;
    jest.spyOn(performance, 'now').mockImplementation(() => nowMs);
    [started, refused] = [[], []];
    cpuMs = undefined;
    queue = new RequestQueue(
      {
        alwaysServed: [],
        isLongPoll: () => false,
        fairnessKeys: {
          keyOf: ({ url = '' }) => url.replace(/^(.)([A-Z]?).*/, '$1 $2').trim(),
          recognize: () => false,
        },
        overload: undefined,
      },
      new CpuClock(() => ({ user: 1000 * (cpuMs ?? nowMs), system: 0 })),
    );
  });
  afterEach(() => {
    jest.useRealTimers();
    jest.restoreAllMocks();
  });

  const works = new WeakMap<IncomingMessage, () => void>();

  /**
   * @param name a letter for the user, and perhaps a capital letter for a key of the user.
   * @param ms main-thread time of the request.
   */
  function ask(name: string, ms: number, { isOver = true, later = () => Promise.resolve() } = {}): ServerResponse {
    const message = { url: name } as IncomingMessage;
    const over = { destroyed: false, headersSent: isOver, writableEnded: isOver };
    const response = Object.assign(new EventEmitter(), over, { req: message }) as unknown as ServerResponse;
    queue.serve((handed) => works.get(handed)?.());
    works.set(message, () => {
      (isRefused(message) ? refused : started).push(name);
      nowMs += isRefused(message) ? 0 : ms;
      void later();
    });
    queue.enter(message, response);
    return response;
  }

  async function turn(): Promise<void> {
    for (const callback of immediates.splice(0)) callback();
    await yieldToEventLoop();
  }

  async function turns(count: number, ms = 0): Promise<void> {
    for (let each = 0; each < count; each += 1) {
      nowMs += ms;
      jest.advanceTimersByTime(ms);
      await turn();
    }
  }

  it('a request behind a hundred of another credential waits for one of them only', async () => {
    for (let n = 0; n < 100; n += 1) ask(`a${String(n)}`, 20);
    await turn();
    ask('b', 1);
    await turn();
    expect(started).toEqual(['a0', 'a1', 'b']);
    await turns(20, 10);
    expect(started.slice(3, 6)).toEqual(['a2', 'a3', 'a4']);
  });

  it('credentials whose requests cost the same take turns', async () => {
    for (const name of ['x0', 'a1', 'a2', 'a3', 'b1', 'b2', 'c1']) ask(name, name === 'x0' ? MAX_TURN_MS : 3);
    await turns(3);
    expect(started).toEqual(['x0', 'a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
  });

  it('after long work, a credential pauses for as long as the work took, while others are active', async () => {
    ask('a1', 40);
    ask('b1', 1);
    ask('a2', 40);
    await turn();
    expect(started).toEqual(['a1', 'b1']);
    await turns(3, 10);
    ask('b2', 1);
    await turn();
    expect(started).toEqual(['a1', 'b1', 'b2']);
    await turns(2, 10);
    expect(started.at(-1)).toBe('a2');
  });

  it('after long work, a credential continues immediately if it is alone', async () => {
    ask('a1', 40);
    ask('a2', 40);
    ask('a3', 40);
    await turn();
    await turn();
    expect(started).toEqual(['a1', 'a2', 'a3']);
  });

  it('after long work, the next request of a credential waits for the response of the first', async () => {
    const first = ask('a1', LONG_WORK_MS + 1, { isOver: false });
    await yieldToEventLoop();
    await turn();
    ask('a2', 1);
    await turns(10, 50);
    expect(started).toEqual(['a1']);
    Object.assign(first, { headersSent: true });
    await turns(1, 50);
    expect(started).toEqual(['a1', 'a2']);
  });

  it('a request that waits for an event does not block others, even after long work', async () => {
    const first = ask('a1', LONG_WORK_MS + 1, { isOver: false });
    await yieldToEventLoop();
    await turn();
    ask('a2', 1);
    await turns(2, 50);
    expect(started).toEqual(['a1']);
    pauseForEvent(first.req);
    await turns(2, 50);
    expect(started).toEqual(['a1', 'a2']);
  });

  it('a short request does not block others of its credential', async () => {
    ask('a1', LONG_WORK_MS - 1, { isOver: false });
    await yieldToEventLoop();
    await turn();
    ask('a2', 1);
    expect(started).toEqual(['a1', 'a2']);
  });

  it('work that lost the core to another process is not long', async () => {
    cpuMs = 0;
    ask('a1', 100, { isOver: false });
    await yieldToEventLoop();
    await turn();
    ask('a2', 1);
    expect(started).toEqual(['a1', 'a2']);
  });

  it('work in promise callbacks counts', async () => {
    const later = async (): Promise<void> => {
      for (let step = 0; step < 5; step += 1) await Promise.resolve();
      nowMs += 30;
    };
    ask('a1', 0, { isOver: false, later });
    await yieldToEventLoop();
    await turn();
    ask('a2', 1);
    ask('b1', 1);
    await turn();
    expect(started).toEqual(['a1', 'b1']);
  });

  it('work in promise callbacks counts in the time limit of a turn', async () => {
    const later = async (): Promise<void> => {
      await Promise.resolve();
      nowMs += 8;
    };
    ask('x', MAX_TURN_MS);
    for (let n = 0; n < 10; n += 1) ask(`a${String(n)}`, 0, { isOver: false, later });
    await turn();
    expect(started).toEqual(['x', 'a0', 'a1']);
  });

  it('a started request waits for its next slot behind requests of others', async () => {
    const long = ask('a1', 0);
    await turn();
    ask('a2', MAX_TURN_MS);
    ask('b1', 1);
    const order: string[] = [];
    void waitForSlot(long.req)?.then(() => order.push(`again behind ${started.join()}`));
    await turns(10, 10);
    expect(order).toEqual(['again behind a1,a2,b1']);
  });

  it('a started request continues before requests of its user that have not started', async () => {
    const long = ask('a1', MAX_TURN_MS, { isOver: false });
    ask('a2', MAX_TURN_MS);
    ask('a3', MAX_TURN_MS);
    Object.assign(long, { headersSent: true });
    void waitForSlot(long.req)?.then(() => started.push('a1 again'));
    await turns(10, 10);
    expect(started).toEqual(['a1', 'a1 again', 'a2', 'a3']);
  });

  it.each([
    ['first', ['a1', 'a2']],
    ['last', ['a2', 'a1']],
  ])(
    'a request with long work continues before others of its credential if it requested a slot %s',
    async (_, order) => {
      const other = ask('a2', 0, { isOver: false });
      await yieldToEventLoop();
      const atWork = ask('a1', LONG_WORK_MS + 1, { isOver: false });
      await yieldToEventLoop();
      const responses = new Map([
        ['a1', atWork],
        ['a2', other],
      ]);
      const continued: string[] = [];
      for (const name of order) {
        const { req: message } = responses.get(name) ?? atWork;
        void waitForSlot(message)?.then(() => continued.push(name));
      }
      await turns(10, 10);
      expect(continued).toEqual(['a1']);
      Object.assign(atWork, { headersSent: true });
      await turns(10, 10);
      expect(continued).toEqual(['a1', 'a2']);
    },
  );

  it('started requests of one credential continue in the order in which they requested slots', async () => {
    const responses = ['a1', 'a2', 'a3'].map((name) => ask(name, 0, { isOver: false }));
    await yieldToEventLoop();
    ask('b', MAX_TURN_MS);
    const continued: string[] = [];
    for (const { req } of responses) void waitForSlot(req)?.then(() => continued.push(req.url ?? ''));
    await turns(3, 10);
    expect(continued).toEqual(['a1', 'a2', 'a3']);
  });

  it('started requests continue only until the time of a turn is used', async () => {
    const bodies = Array.from({ length: 30 }, (_, n) => ask(`a${String(n)}`, 0, { isOver: false }));
    ask('a', MAX_TURN_MS);
    let continued = 0;
    for (const body of bodies) void waitForSlot(body.req, PIECE_MS)?.then(() => (continued += 1));
    await turn();
    expect(continued).toBe(MAX_TURN_MS / PIECE_MS);
    await turn();
    expect(continued).toBe((2 * MAX_TURN_MS) / PIECE_MS);
  });

  it('a request continues immediately if nothing waits', () => {
    expect(waitForSlot(ask('a1', 0).req)).toBeUndefined();
  });

  it('after the process was blocked, the first requests are started and the others are refused', async () => {
    ask('a', MAX_TURN_MS);
    for (let n = 0; n < 2 * MAX_IN_PROGRESS_UNREFUSED; n += 1) ask(`a${String(n)}`, MAX_TURN_MS);
    ask('b', 1);
    nowMs += MAX_QUEUE_MS;
    await turn();
    expect(started).toContain('b');
    await turns(20);
    expect(refused.length).toBeGreaterThan(MAX_IN_PROGRESS_UNREFUSED - 40);
    expect(refused).not.toContain('b');
  });

  it('a request that cannot start is refused in time, even if it is the only one', async () => {
    ask('a1', LONG_WORK_MS, { isOver: false });
    await yieldToEventLoop();
    await turn();
    ask('a2', 1);
    await turns(MAX_WAIT_MS / 100 - 1, 100);
    expect(refused).toEqual([]);
    await turns(2, 100);
    expect([refused, started]).toEqual([['a2'], ['a1']]);
  });

  it('a started request that cannot continue is refused in time, if its response has not started', async () => {
    const first = ask('a1', LONG_WORK_MS, { isOver: false });
    await yieldToEventLoop();
    await turn();
    const second = ask('b1', 0, { isOver: false });
    await yieldToEventLoop();
    Object.assign(second.req, { url: 'a2' });
    const again = expect(waitForSlot(second.req)).rejects.toMatchObject({ status: 503, code: 'overloaded' });
    await turns(MAX_WAIT_MS / 100 + 1, 100);
    await again;
    expect(first.headersSent).toBe(false);
  });

  it('the maximum wait covers all turns of a request together, until its response begins', async () => {
    ask('a1', LONG_WORK_MS, { isOver: false });
    await yieldToEventLoop();
    await turn();
    const second = ask('b1', 0, { isOver: false });
    await yieldToEventLoop();
    Object.assign(second.req, { url: 'a2', [QUEUED_AT]: nowMs - MAX_WAIT_MS + 1000 });
    const again = expect(waitForSlot(second.req)).rejects.toMatchObject({ status: 503, code: 'overloaded' });
    await turns(11, 100);
    await again;
  });

  it('a request whose client has disconnected costs nothing', async () => {
    ask('a1', 20);
    const gone = ask('a2', 20);
    Object.assign(gone, { destroyed: true });
    ask('a3', 20);
    await turns(2, 20);
    expect(started).toEqual(['a1', 'a3']);
  });

  describe('of one user with several keys', () => {
    it('share the turns of the user', async () => {
      for (const name of ['aK1', 'aK2', 'aL3', 'aM4', 'b5', 'b6']) ask(name, 5);
      await turns(8);
      expect(started).toEqual(['aK1', 'aK2', 'aL3', 'b5', 'aM4', 'b6']);
    });

    it('wait behind its logins, and the keys take turns', async () => {
      for (const name of ['aK1', 'aK2', 'aK3', 'aK4', 'aK5', 'aL6', 'a7', 'a8']) ask(name, 5);
      await turns(8);
      expect(started).toEqual(['aK1', 'aK2', 'a7', 'a8', 'aK3', 'aL6', 'aK4', 'aK5']);
    });

    it('wait for one another if one has long work, but a login of the user does not wait', async () => {
      ask('aK1', 20, { isOver: false });
      await yieldToEventLoop();
      ask('aL2', 1);
      ask('a3', 1);
      await turns(3);
      expect(started).toEqual(['aK1', 'a3']);
    });

    it('wait for long work of its login', async () => {
      ask('a1', 20, { isOver: false });
      await yieldToEventLoop();
      ask('aK2', 1);
      await turns(3);
      expect(started).toEqual(['a1']);
    });
  });
});
