import { RawConnection } from '@items/testing';

import { TestApp } from './test-app.testing.js';

const POST =
  'POST /things HTTP/1.1\r\nHost: x\r\nX-API-Key: k\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{';

describe('Silent connections, slow headers, slow and stalled bodies are closed within 15 s (decisions, "Running")', () => {
  it('with 408 where an answer is due', async () => {
    const app = await TestApp.start();
    const cases: [string, string, number[]][] = [
      ['', '', [408]],
      ['GET /things HTTP/1.1\r\nHost: x\r\n', 'X: y\r\n', [408]],
      [POST, '', [408]],
      [POST, ' ', [408]],
      // Answered at once; the rest of the body is only waited for.
      [POST.replace('X-API-Key', 'X-Other'), ' ', [401]],
      ['GET /things HTTP/1.1\r\nHost: x\r\n\r\n', '', [200]],
    ];
    await Promise.all(
      cases.map(async ([start, drip, statuses]) => {
        const connection = await RawConnection.open(app.port);
        connection.send(start);
        const dripping = setInterval(() => {
          if (drip !== '') connection.send(drip);
        }, 500);
        expect(await connection.closed(15_000)).toBeLessThan(15_000);
        clearInterval(dripping);
        expect(connection.answers().map((answer) => answer.status)).toEqual(statuses);
        connection.destroy();
      }),
    );
    await app.close();
  }, 20_000);
});
