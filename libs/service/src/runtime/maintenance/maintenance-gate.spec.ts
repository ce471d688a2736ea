import { Maintenance } from './maintenance-gate.js';

describe('Maintenance', () => {
  it('refuses requests while the database demands it, with its seconds in Retry-After', () => {
    const maintenance = new Maintenance(undefined, ['/health/']);
    expect([maintenance.isOn, maintenance.refusalFor('/items')]).toEqual([false, undefined]);
    maintenance.set(30);
    expect(maintenance.isOn).toBe(true);
    expect(maintenance.refusalFor('/items?limit=1')).toMatchObject({
      code: 'maintenance',
      headers: { 'retry-after': '30' },
    });
    maintenance.set(undefined);
    expect([maintenance.isOn, maintenance.refusalFor('/items')]).toEqual([false, undefined]);
  });

  it('refuses requests while the configuration demands it, for any state of the database', () => {
    const maintenance = new Maintenance(60, []);
    maintenance.set(undefined);
    expect(maintenance.refusalFor('/items')).toMatchObject({ headers: { 'retry-after': '60' } });
    maintenance.set(30);
    expect(maintenance.refusalFor('/items')).toMatchObject({ headers: { 'retry-after': '60' } });
  });

  it.each([
    ['/health/live', false],
    ['/health?x=1', false],
    ['/healthy', true],
    ['/items/health/', true],
  ])('keeps /health/ open: %s is refused: %s', (target, isRefused) => {
    expect(new Maintenance(60, ['/health/']).refusalFor(target) !== undefined).toBe(isRefused);
  });
});
