import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import { httpRequest } from './load/http-request.ts';
import { readPage } from './requests.ts';
import type { Running, System } from './systems.ts';

/*
 * Tests correctness under concurrent requests, the same way for each system. Each function returns the text of a table
 * cell.
 */

/** Rows of the collection: ten pages. */
export const ROWS = 200;
const WALKERS = 8;
const WRITERS = 4;
const KILLS = 3;

/**
 * Walks through the whole list by price while writers change prices. No row is created or deleted, so each walk must
 * list each row exactly once.
 */
export async function walk(system: System, running: Running, ids: readonly string[], walks: number) {
  let [begun, wrong, skipped, doubled] = [0, 0, 0, 0];
  let isWriting = true;
  const writers = Array.from({ length: WRITERS }, async () => {
    while (isWriting) {
      const id = String(ids[Math.floor(Math.random() * ids.length)]);
      const price = Math.floor(Math.random() * 10_000) * (system.unit ?? 1);
      expect(await send(running, 'PUT', system.member(id), { name: `Price ${price}`, price }), 200);
    }
  });
  const walkers = Array.from({ length: WALKERS }, async () => {
    while (begun < walks) {
      begun += 1;
      const seen: string[] = [];
      // Allow twice the pages of the list, because moved rows may be listed again.
      for (let path = system.firstPath, page = 0; path !== '' && page < ROWS / 10; page++) {
        const { ids: rows, next = '' } = await readPage(system, running, path);
        seen.push(...rows);
        path = next;
      }
      const distinct = new Set(seen).size;
      skipped += ids.length - distinct;
      doubled += seen.length - distinct;
      wrong += distinct === ids.length && seen.length === distinct ? 0 : 1;
    }
  });
  await Promise.all(walkers).finally(() => (isWriting = false));
  await Promise.all(writers);
  return wrong === 0
    ? `none in ${walks} walks`
    : `${skipped} skipped, ${doubled} doubled, in ${wrong} of ${walks} walks`;
}

/**
 * Kills the server with SIGKILL several times while clients create rows. Then reads each acknowledged row and the feed.
 */
export async function kill(system: System, start: () => Promise<Running>): Promise<{ rows: string; events: string }> {
  const acknowledged: string[] = [];
  for (let n = 0; n < KILLS; n++) {
    const running = await start();
    let isUp = true;
    const writers = Array.from({ length: WRITERS }, async () => {
      while (isUp) {
        const response = await send(running, 'POST', system.collection, { name: 'Kept', price: 1 }).catch(
          () => undefined,
        );
        if (response?.ok) acknowledged.push(String(((await response.json()) as { id: string }).id));
      }
    });
    await sleep(1000);
    running.process.child.kill('SIGKILL');
    await once(running.process.child, 'exit');
    isUp = false;
    await Promise.all(writers);
  }
  const running = await start();
  try {
    let missing = 0;
    for (const id of acknowledged) missing += (await send(running, 'GET', system.member(id))).ok ? 0 : 1;
    const events = system.hasFeed
      ? `${await missingEvents(running, acknowledged)} of ${acknowledged.length}`
      : 'no feed';
    return { rows: `${missing} of ${acknowledged.length}`, events };
  } finally {
    await running.process.stop();
  }
}

async function missingEvents(running: Running, created: readonly string[]) {
  const missing = new Set(created);
  const first = '/events?type=item.created&limit=100';
  for (let path = first; path !== '';) {
    const response = await send(running, 'GET', path);
    expect(response, 200);
    const { events, after } = (await response.json()) as {
      events: { data: { object: { id: string } } }[];
      after: string;
    };
    for (const { data } of events) missing.delete(data.object.id);
    // An event is listed within 5 s after a crash.
    path = events.length === 0 ? '' : `${first}&wait=6&after=${encodeURIComponent(after)}`;
  }
  return missing.size;
}

/**
 * Creates rows, but closes each connection at the first byte of the response. Then repeats the request with the same
 * Idempotency-Key, as a client that got no response. Each row must exist once.
 */
export async function loseResponses(system: System, running: Running, times: number) {
  const before = await count(system, running);
  for (let n = 0; n < times; n++) {
    const body = { name: `Once ${n}`, price: 1 };
    const headers = { ...running.headers, 'idempotency-key': randomUUID() };
    const socket = connect(Number(new URL(running.address).port), '127.0.0.1');
    socket.write(httpRequest('POST', system.collection, headers, body));
    await once(socket, 'data');
    socket.destroy();
    expect(await send({ ...running, headers }, 'POST', system.collection, body), system.created ?? 201);
  }
  return `${(await count(system, running)) - before - times} after ${times}`;
}

async function count(system: System, running: Running) {
  const response = await send(running, 'GET', system.totalPath);
  return system.count(await response.json(), response.headers);
}

/** Sends each invalid request twice, and compares the bodies. */
export async function repeatMistakes(system: System, running: Running) {
  const mistakes: [method: string, path: string, body?: string | object][] = [
    ['GET', system.member(system.serial ? '999999999' : '00000000-0000-7000-8000-000000000000')],
    ['GET', `${system.totalPath}&limit=none`],
    ['PATCH', system.collection],
    ['POST', system.collection, '{"name": "half'],
    ['POST', system.collection, {}],
    ['POST', system.collection, { name: 'a', price: 'free' }],
    ['PUT', system.member(system.serial ? '1' : '00000000-0000-7000-8000-000000000000'), { price: {} }],
  ];
  let same = 0;
  for (const [method, path, body] of mistakes) {
    const [first, second] = [await send(running, method, path, body), await send(running, method, path, body)];
    if (first.status === second.status && (await first.text()) === (await second.text())) same += 1;
  }
  return `${same} of ${mistakes.length}`;
}

function send({ address, headers }: Running, method: string, path: string, body?: string | object) {
  return fetch(address + path, {
    method,
    headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    body: typeof body === 'object' ? JSON.stringify(body) : (body ?? null),
  });
}

function expect(response: Response, status: number) {
  if (response.status !== status) throw new Error(`${response.url} returned ${response.status} instead of ${status}.`);
}
