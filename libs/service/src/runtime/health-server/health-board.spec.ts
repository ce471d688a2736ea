import { goodAnswer, unavailable, BLOCKED_MS, HealthBoard, STALE_MS } from './health-board.js';

const READY = goodAnswer({ status: 'ok', redis: 'ok' });
const DOWN = unavailable('The database does not answer.');

describe('HealthBoard', () => {
  let nowMs: number;
  let board: HealthBoard;

  beforeEach(() => {
    nowMs = 1_000_000;
    board = new HealthBoard(() => nowMs);
  });

  it('is live and not ready while the service starts, for any duration', () => {
    nowMs += 10 * BLOCKED_MS;
    expect(board.live()).toMatchObject({ status: 200, body: '{"status":"ok"}' });
    expect(board.ready()).toMatchObject({
      status: 503,
      headers: { 'retry-after': '1' },
      body: '{"error":"The service is starting.","code":"unavailable"}',
    });
  });

  it('responds as the service would', () => {
    board.report(READY);
    expect(board.ready()).toBe(READY);
    board.report(DOWN);
    expect(board.ready()).toBe(DOWN);
    expect(board.live().status).toBe(200);
  });

  it('is not ready after some seconds without a report, and ready again after the next report', () => {
    board.report(READY);
    nowMs += STALE_MS;
    expect(board.ready()).toBe(READY);
    nowMs += 1;
    expect(board.ready().body).toContain('has not answered for some seconds');
    expect(board.live().status).toBe(200);
    board.report(READY);
    expect(board.ready()).toBe(READY);
  });

  it('is not live after 30 s without a report', () => {
    board.report(READY);
    nowMs += BLOCKED_MS;
    expect(board.live().status).toBe(200);
    nowMs += 1;
    expect(board.live()).toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
    board.report(READY);
    expect(board.live().status).toBe(200);
  });
});
