import { MemoryPositions, POSITION_KEPT_MS, UNSURE_MS } from './write-positions.js';

describe('Positions of writes of a single instance', () => {
  let nowMs = 1000;
  let clock: jest.SpyInstance;
  beforeEach(() => (clock = jest.spyOn(performance, 'now').mockImplementation(() => nowMs)));
  afterEach(() => clock.mockRestore());

  it('are unknown for the time before its start', async () => {
    const positions = new MemoryPositions();
    expect(await positions.latest('ann')).toBeUndefined();
    nowMs += UNSURE_MS;
    expect(await positions.latest('ann')).toBe('');
  });

  it('never decrease, and are deleted when every standby in use has them', async () => {
    const positions = new MemoryPositions();
    nowMs += UNSURE_MS;
    await positions.record('ann', '0b');
    await positions.record('ann', '0a');
    expect(await positions.latest('ann')).toBe('0b');
    nowMs += POSITION_KEPT_MS + 1;
    await positions.record('bob', '0c');
    expect(await positions.latest('ann')).toBe('');
    expect(await positions.latest('bob')).toBe('0c');
  });
});
