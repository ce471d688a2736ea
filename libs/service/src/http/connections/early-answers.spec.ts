import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import { TestApp } from '../testing/test-app.testing.js';

let app: TestApp;
beforeAll(async () => {
  app = await TestApp.start();
});
afterAll(() => app.close());

/** Reads nothing until it has sent everything: a reset would lose the response. */
async function sendThenRead(...parts: string[]): Promise<string> {
  const socket = connect(app.port, '127.0.0.1').pause();
  let received = '';
  socket.on('data', (chunk: Buffer) => (received += chunk.toString('latin1')));
  socket.on('error', (error) => (received += error.message));
  for (const part of parts) {
    await new Promise((sent) => socket.write(part, sent));
    await sleep(100);
  }
  socket.resume();
  await new Promise((closed) => socket.once('close', closed));
  return received;
}

const CONFIDENT = 'Host: x\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: 4194304\r\n';
const BODY = 'x'.repeat(4_194_304);

describe('a response that comes before the request has ended is not lost', () => {
  it.each([
    [401, `POST /things HTTP/1.1\r\n${CONFIDENT}\r\n`],
    [413, `POST /things HTTP/1.1\r\n${CONFIDENT}X-API-Key: k\r\n\r\n`],
    [404, `POST /nothing HTTP/1.1\r\n${CONFIDENT}\r\n`],
    [400, 'GARBAGE\r\n\r\n'],
  ])('%i', async (status, head) => {
    expect(await sendThenRead(head, BODY)).toMatch(new RegExp(`^HTTP/1.1 ${String(status)} .*"code":"\\w+"}$`, 's'));
  });
});
