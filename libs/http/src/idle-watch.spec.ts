import type { Connection } from './connection.js';
import { IdleWatch } from './idle-watch.js';

const LIMIT_MS = 10_000;

/** As much of a connection as is looked at. */
interface Watched {
  latest: object | undefined;
  isBusy: boolean;
  tcp: { bytesRead: number };
  socket: { destroy: jest.Mock };
}

describe('A connection on which nothing more is asked', () => {
  let connection: Watched;
  let watch: IdleWatch;

  beforeEach(() => {
    connection = { latest: {}, isBusy: false, tcp: { bytesRead: 100 }, socket: { destroy: jest.fn() } };
    watch = new IdleWatch(LIMIT_MS);
  });

  /** Looks at it at each of these times. @returns whether it has ended. */
  function hasEnded(...times: readonly number[]): boolean {
    for (const now of times) watch.check([connection as unknown as Connection], now);
    return connection.socket.destroy.mock.calls.length > 0;
  }

  it('ends when the limit has passed, and not before', () => {
    expect(hasEnded(0, LIMIT_MS - 1)).toBe(false);
    expect(hasEnded(LIMIT_MS)).toBe(true);
  });

  it('stays while bytes come, be it only a part of a request', () => {
    expect(hasEnded(0, LIMIT_MS - 1)).toBe(false);
    connection.tcp.bytesRead += 1;
    expect(hasEnded(LIMIT_MS, 2 * LIMIT_MS - 1)).toBe(false);
    expect(hasEnded(2 * LIMIT_MS)).toBe(true);
  });

  it('stays while an answer is due, and has its whole time after it', () => {
    expect(hasEnded(0)).toBe(false);
    connection.isBusy = true;
    expect(hasEnded(LIMIT_MS, 3 * LIMIT_MS)).toBe(false);
    connection.isBusy = false;
    expect(hasEnded(3 * LIMIT_MS + 1, 4 * LIMIT_MS)).toBe(false);
    expect(hasEnded(4 * LIMIT_MS + 1)).toBe(true);
  });

  it('is left to Node where nothing has been asked as yet', () => {
    connection.latest = undefined;
    expect(hasEnded(0, 2 * LIMIT_MS)).toBe(false);
  });
});
