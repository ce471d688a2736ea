import { checksOf } from './checks/all-checks.js';
import { premisesFirst, premisesOf } from './checks/premises.js';

describe('premises', () => {
  it('are checks of the profile', () => {
    const ids = new Set(checksOf('full').map(({ id }) => id));
    const unknown = checksOf('full').flatMap((check) => premisesOf(check).filter((id) => !ids.has(id)));
    expect(unknown).toEqual([]);
  });

  it('come before the checks that depend on them, without a cycle', () => {
    const order = premisesFirst(checksOf('full')).map(({ id }) => id);
    expect(order).toHaveLength(checksOf('full').length);
    const late = premisesFirst(checksOf('full')).flatMap((check) =>
      premisesOf(check).filter((id) => order.indexOf(id) > order.indexOf(check.id)),
    );
    expect(late).toEqual([]);
  });
});
