import fc from 'fast-check';

import { etagOf } from './tagged.js';

it('The entity tag of a stamp is its clock and its lane in base 36', () => {
  fc.assert(
    fc.property(fc.maxSafeNat(), fc.nat({ max: 15 }), (seq, lane) => {
      expect(etagOf({ seq, lane })).toBe(`"${seq.toString(36)}-${lane.toString(36)}"`);
    }),
  );
});
