import { once } from 'node:events';
import { createHistogram, type RecordableHistogram } from 'node:perf_hooks';

import { RawClient } from './raw-client.ts';

/*
 * Generates load in a separate process, so that it can have its own core. The message `open` opens connections, `load`
 * uses them and returns the results, and `close` closes them. The measurement excludes the opening.
 */

interface Open {
  type: 'open';
  port: number;
  connections: number;
  expected: number;
  requests: string[];
}

/** Sends as fast as possible, or `perSecond` requests a second. */
export interface Load {
  seconds: number;
  /** On a busy machine, the load continues until it has sent this number of requests. */
  atLeast?: number;
  /** The load ends early after this number of requests. */
  count?: number;
  perSecond?: number;
}

type Message = Open | ({ type: 'load' } & Load) | { type: 'close' };

export interface Loaded {
  requests: number;
  seconds: number;
  p50Ms: number;
  p99Ms: number;
}

/** Factor by which a load may exceed its `seconds` to reach `atLeast`. */
const LONGER = 5;

let clients: RawClient[] = [];
let requests: Buffer[] = [];
let expected = 200;
let next = 0;
let fail: (error: Error) => void = () => {};

process.on('message', (message: Message) => {
  void handle(message).then(
    (result) => process.send?.({ result }),
    (error: Error) => process.send?.({ error: error.message }),
  );
});

// Exit when the benchmark is interrupted.
process.on('disconnect', () => process.exit());

async function handle(message: Message) {
  if (message.type === 'open') {
    requests = message.requests.map((text) => Buffer.from(text));
    expected = message.expected;
    clients = Array.from({ length: message.connections }, () => new RawClient(message.port, (error) => fail(error)));
    await Promise.all(clients.map(({ socket }) => once(socket, 'connect')));
    return;
  }
  if (message.type === 'close') {
    clients.forEach((client) => client.close());
    return;
  }
  return message.perSecond === undefined ? full(message) : paced(message, message.perSecond);
}

/**
 * Sends the next request on each connection as soon as the previous response has arrived. Ends after `count` requests
 * or `seconds`. The time is extended up to a limit to reach `atLeast`.
 */
function full({ seconds, atLeast = 0, count = Infinity }: Load): Promise<Loaded> {
  return new Promise((resolve, reject) => {
    fail = reject;
    const histogram = createHistogram();
    const start = performance.now();
    const until = start + seconds * 1000;
    const latest = start + seconds * 1000 * LONGER;
    let sent = 0;
    let open = clients.length;
    for (const client of clients) {
      const ask = () => {
        const sentAt = performance.now();
        if (sent >= count || (sentAt >= until && (sent >= atLeast || sentAt >= latest))) {
          open -= 1;
          if (open === 0) resolve(loaded(histogram, start));
          return;
        }
        sent += 1;
        client.send(request(), (status) => {
          if (status !== expected) return reject(new Error(`Answered ${status} instead of ${expected}.`));
          histogram.record(Math.max(1, Math.round((performance.now() - sentAt) * 1e6)));
          ask();
        });
      };
      ask();
    }
  });
}

/**
 * Sends requests at a fixed rate over any free connection. Measures latency from the time when a request was due, so
 * that a stalled server does not hide the requests that wait for it. Waits in a busy loop, because a timer would be
 * late.
 */
function paced({ seconds }: Load, perSecond: number): Promise<Loaded> {
  return new Promise((resolve, reject) => {
    fail = reject;
    const histogram = createHistogram();
    const free = [...clients];
    const start = performance.now();
    const due = Math.floor(seconds * perSecond);
    let sent = 0;
    let answered = 0;
    const turn = () => {
      while (sent < due && free.length > 0) {
        const dueAt = start + (sent * 1000) / perSecond;
        if (dueAt > performance.now()) break;
        const client = free.pop() as RawClient;
        sent += 1;
        client.send(request(), (status) => {
          if (status !== expected) return reject(new Error(`Answered ${status} instead of ${expected}.`));
          histogram.record(Math.max(1, Math.round((performance.now() - dueAt) * 1e6)));
          free.push(client);
          answered += 1;
        });
      }
      if (answered === due) resolve(loaded(histogram, start));
      else setImmediate(turn);
    };
    turn();
  });
}

function request() {
  next = (next + 1) % requests.length;
  return requests[next] as Buffer;
}

function loaded(histogram: RecordableHistogram, start: number): Loaded {
  const at = (percent: number) => histogram.percentile(percent) / 1e6;
  const seconds = (performance.now() - start) / 1000;
  return { requests: histogram.count, seconds, p50Ms: at(50), p99Ms: at(99) };
}
