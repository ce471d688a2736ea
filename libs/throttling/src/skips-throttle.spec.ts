import { SkipThrottle } from '@nestjs/throttler';

import { skipsThrottle } from './skips-throttle.js';

class Counted {
  counted(): void {}

  @SkipThrottle()
  skipped(): void {}
}

@SkipThrottle()
class Skipped {
  skipped(): void {}

  @SkipThrottle({ default: false })
  counted(): void {}
}

describe('@SkipThrottle() of @nestjs/throttler', () => {
  it.each([
    [Counted, 'counted', false],
    [Counted, 'skipped', true],
    [Skipped, 'skipped', true],
    [Skipped, 'counted', false],
  ])('is read from the handler, else from the controller: %p %s', (controller, name, skips) => {
    expect(skipsThrottle(controller, Reflect.get(controller.prototype, name) as object)).toBe(skips);
  });
});
