import { createServer, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';

import { RawConnection, TEST_CERTIFICATE } from '@items/testing';

import { logTo } from '../logging/log.js';
import { ClientErrors } from './client-errors.js';
import { Connections } from './connections.js';

const LIMIT = 4;
const REQUEST = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';

describe('§7 Too many open connections', () => {
  let server: Server;
  let connections: Connections;
  const opened: RawConnection[] = [];

  const serve = async (made: Server): Promise<void> => {
    server = made;
    connections = new Connections(server, new ClientErrors(logTo({ write: () => undefined }), false), LIMIT);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  };
  const open = async (): Promise<RawConnection> => {
    const connection = await RawConnection.open((server.address() as AddressInfo).port);
    opened.push(connection);
    return connection;
  };
  const openMany = async (count: number): Promise<RawConnection[]> => {
    const many: RawConnection[] = [];
    while (many.length < count) many.push(await open());
    return many;
  };
  const statusOf = async (connection: RawConnection): Promise<number | undefined> => {
    connection.send(REQUEST);
    return (await connection.nextAnswer())?.status;
  };
  const ok = (): Server => createServer((_request, response) => response.end('ok'));

  afterEach(async () => {
    for (const connection of opened.splice(0)) connection.destroy();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  it('those beyond the limit are answered 503 before they ask, and closed; those within it are served', async () => {
    await serve(ok());
    const idle = await openMany(LIMIT);
    const further = await openMany(2);
    for (const connection of further) {
      const answer = await connection.nextAnswer();
      expect([answer?.status, answer?.header('connection')]).toEqual([503, 'close']);
      expect(answer?.json()).toMatchObject({ code: 'overloaded' });
      expect(Number(answer?.header('retry-after'))).toBeGreaterThan(0);
      await connection.closed(4_000);
    }
    for (const connection of idle) expect(await statusOf(connection)).toBe(200);
  });

  it('when they have closed, the next ones are served', async () => {
    await serve(ok());
    for (const connection of await openMany(LIMIT + 1)) connection.destroy();
    await connections.drained();
    for (const connection of await openMany(LIMIT)) expect(await statusOf(connection)).toBe(200);
  });

  it('twice as many are closed without a word, whether or not they finish a TLS handshake', async () => {
    await serve(createTlsServer(TEST_CERTIFICATE));
    const silent = await openMany(2 * LIMIT);
    const further = await open();
    await further.closed(4_000);
    expect(further.bytes).toHaveLength(0);
    expect(silent.filter(({ isClosed }) => isClosed)).toEqual([]);
  });
});
