import { EventEmitter } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';

import { CpuClock, RequestQueue } from './request-queue.js';
import {
  ACCEPTING_TURN_MS,
  ACCEPTING_TURNS,
  MAX_STARTED,
  MAX_QUEUED,
  MAX_QUEUE_MS,
  MAX_TURN_MS,
  MAX_IN_PROGRESS_UNREFUSED,
} from '../limits.js';
import { QUEUED_AT, type ReceivedRequest, REFUSAL, pauseForEvent } from '../received-request.js';

/** A sent request; `end` ends its response. */
class Asked {
  readonly message: ReceivedRequest;
  readonly response;

  constructor(url: string) {
    this.message = { url } as IncomingMessage;
    const over = { destroyed: false, headersSent: true, writableEnded: true };
    this.response = Object.assign(new EventEmitter(), over, { req: this.message });
  }

  end(): void {
    this.response.emit('close');
  }
}

const isRefused = (message: ReceivedRequest): boolean => message[REFUSAL] !== undefined;

describe('RequestQueue', () => {
  let immediates: (() => void)[];
  let nowMs: number;
  let backlog: number;
  let costMs: number;
  let queue: RequestQueue;
  let started: IncomingMessage[];
  let notified: string[];

  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['performance', 'setImmediate'] });
    immediates = [];
    jest.spyOn(globalThis, 'setImmediate').mockImplementation((callback) => {
      immediates.push(callback);
      return {} as NodeJS.Immediate;
    });
    [nowMs, backlog, costMs] = [1_000_000, 0, 0];
    jest.spyOn(performance, 'now').mockImplementation(() => nowMs);
    [started, notified] = [[], []];
    queue = new RequestQueue(
      {
        alwaysServed: ['/health/'],
        isLongPoll: (target) => target.endsWith('wait=20'),
        fairnessKeys: { keyOf: () => 'all of them', recognize: () => false },
        overload: {
          refused: (isBehindDatabase) => notified.push(isBehindDatabase ? 'database' : 'process'),
          relieved: () => notified.push('relieved'),
        },
      },
      new CpuClock(() => ({ user: 1000 * nowMs, system: 0 })),
    );
    queue.follow({ backlog: () => backlog, dialect: 'sqlite' });
    queue.serve((message) => {
      started.push(message);
      nowMs += costMs;
    });
  });
  afterEach(() => {
    jest.useRealTimers();
    jest.restoreAllMocks();
  });

  const ask = (url = '/items'): Asked => {
    const asked = new Asked(url);
    queue.enter(asked.message, asked.response as unknown as ServerResponse);
    return asked;
  };
  const askMany = (count: number): Asked[] => Array.from({ length: count }, () => ask());
  const turn = (): void => {
    for (const callback of immediates.splice(0)) callback();
  };
  const waitMs = (ms: number): void => {
    nowMs += ms;
    jest.advanceTimersByTime(ms);
    turn();
  };
  const refused = (): number => started.filter(isRefused).length;

  it('starts a request immediately if nothing waits', () => {
    const { message } = ask();
    expect(started).toEqual([message]);
    expect(message[QUEUED_AT]).toBeUndefined();
  });

  it('yields to the event loop after some requests, and continues in the order of arrival', () => {
    costMs = 1;
    const arrivedAtMs = nowMs;
    const asked = askMany(3 * MAX_TURN_MS);
    expect(started).toHaveLength(MAX_TURN_MS);
    turn();
    expect(started).toHaveLength(2 * MAX_TURN_MS);
    const later = ask();
    turn();
    turn();
    expect(started).toEqual([...asked, later].map(({ message }) => message));
    // The logged duration begins with the turn in which the request arrived.
    expect(asked.at(-1)!.message[QUEUED_AT]).toBe(arrivedAtMs);
    expect(queue.use).toEqual({ waiting: 0, refused: 0 });
  });

  it('uses short turns, and some without a request, while connections are accepted', () => {
    const server = new EventEmitter();
    queue.watch(server as Server);
    costMs = ACCEPTING_TURN_MS;
    server.emit('connection');
    askMany(5);
    expect(started).toHaveLength(1);
    for (let turns = 0; turns < ACCEPTING_TURNS; turns++) {
      turn();
      server.emit('connection');
    }
    expect(started).toHaveLength(1);
    turn();
    expect(started).toHaveLength(2);
    turn();
    expect(started).toHaveLength(5);
  });

  it('starts no more requests than the database needs, and the next one when a request ends', () => {
    const [first] = askMany(MAX_STARTED);
    backlog = MAX_STARTED;
    const asked = ask();
    waitMs(10);
    expect(started).not.toContain(asked.message);
    first?.end();
    turn();
    expect(started).toContain(asked.message);
  });

  it('does not limit requests that wait for something other than the database, such as a slow client', () => {
    askMany(1000);
    for (let turns = 1; turns < 1000 / MAX_STARTED; turns += 1) turn();
    expect(started).toHaveLength(1000);
  });

  it('limits the requests started per turn, whose database load is known only in the next turn', () => {
    askMany(MAX_IN_PROGRESS_UNREFUSED);
    expect(started).toHaveLength(MAX_STARTED);
    backlog = MAX_STARTED;
    turn();
    expect(started).toHaveLength(MAX_STARTED);
  });

  it('refuses requests that waited too long, and reports the cause once', () => {
    backlog = MAX_STARTED;
    askMany(MAX_STARTED);
    const asked = askMany(MAX_IN_PROGRESS_UNREFUSED - MAX_STARTED + 1);
    waitMs(MAX_QUEUE_MS - 1);
    expect(started).toHaveLength(MAX_STARTED);
    waitMs(MAX_TURN_MS);
    expect(started.filter(isRefused)).toEqual([asked[0]?.message]);
    // Without the refused request, 256 are in progress, so all are started.
    expect([notified, queue.use]).toEqual([['database', 'relieved'], { waiting: 0, refused: 1 }]);
    expect(started).toHaveLength(MAX_IN_PROGRESS_UNREFUSED + 1);
  });

  it('refuses nothing if at most 256 requests are in progress: late requests are started', () => {
    backlog = MAX_STARTED;
    askMany(MAX_STARTED);
    askMany(MAX_IN_PROGRESS_UNREFUSED - MAX_STARTED);
    waitMs(MAX_QUEUE_MS - 1);
    expect([refused(), started.length]).toEqual([0, MAX_STARTED]);
    // If the database is down, these requests should fail as early as the first ones.
    waitMs(MAX_TURN_MS);
    expect([refused(), started.length]).toEqual([0, MAX_IN_PROGRESS_UNREFUSED]);
  });

  it('does not count requests that wait for an event, and subtracts each only once', () => {
    const resting = askMany(1000);
    for (let turns = 1; turns < 1000 / MAX_STARTED; turns += 1) turn();
    for (const { message } of resting) pauseForEvent(message);
    for (const one of resting) one.end();
    askMany(MAX_STARTED);
    turn();
    expect(started).toHaveLength(1000 + MAX_STARTED);
    backlog = MAX_STARTED;
    askMany(MAX_IN_PROGRESS_UNREFUSED - MAX_STARTED);
    waitMs(MAX_QUEUE_MS + MAX_TURN_MS);
    expect([refused(), started.length]).toEqual([0, 1000 + MAX_IN_PROGRESS_UNREFUSED]);
  });

  it('does not refuse a late long poll: it waits for another turn', () => {
    backlog = MAX_STARTED;
    const first = askMany(MAX_STARTED);
    const patient = Array.from({ length: 2 * MAX_IN_PROGRESS_UNREFUSED }, () => ask('/events?wait=20'));
    const other = ask();
    waitMs(MAX_QUEUE_MS + MAX_TURN_MS);
    expect([refused(), isRefused(other.message)]).toEqual([1, true]);
    for (const one of first) one.end();
    backlog = 0;
    for (let turns = 0; turns <= (2 * MAX_IN_PROGRESS_UNREFUSED) / MAX_STARTED; turns += 1) turn();
    expect(started.slice(MAX_STARTED + 1)).toEqual(patient.map(({ message }) => message));
    expect(refused()).toBe(1);
  });

  it('starts a long poll late, when there is no backlog', () => {
    costMs = MAX_QUEUE_MS;
    const patient = Array.from({ length: 2 * MAX_IN_PROGRESS_UNREFUSED }, () => ask('/events?wait=20'));
    for (let turns = 0; turns < 2 * MAX_IN_PROGRESS_UNREFUSED; turns += 1) turn();
    expect(started).toEqual(patient.map(({ message }) => message));
    expect(refused()).toBe(0);
  });

  it('refuses new requests immediately if the queue is full', () => {
    backlog = MAX_STARTED;
    askMany(MAX_STARTED + MAX_QUEUED);
    expect(refused()).toBe(0);
    const { message } = ask();
    expect(started.at(-1)).toBe(message);
    expect(isRefused(message)).toBe(true);
  });

  it('serves health checks before all waiting requests', () => {
    backlog = MAX_STARTED;
    askMany(MAX_STARTED + 10);
    const check = ask('/health/live');
    expect(started.at(-1)).toBe(check.message);
  });

  it('removes requests whose client has disconnected', () => {
    backlog = MAX_STARTED;
    const [first] = askMany(MAX_STARTED);
    const gone = ask();
    gone.response.destroyed = true;
    first?.end();
    turn();
    expect(started).not.toContain(gone.message);
    expect(queue.use.waiting).toBe(0);
  });
});
