import { SkipThrottle } from '@nestjs/throttler';

/**
 * Under it `@SkipThrottle()` keeps its word. The throttler exports no reader of it, so a probe is decorated and looked at
 * (seen in 6.7.1: one key of metadata, on the handler or the controller).
 */
const MARK = markOf(SkipThrottle());

/** Whether `@SkipThrottle()` stands on a handler, or on its controller and not otherwise on the handler. */
export function skipsThrottle(controller: object, handler: object): boolean {
  return (Reflect.getMetadata(MARK, handler) ?? Reflect.getMetadata(MARK, controller)) === true;
}

/** @throws {Error} where another version of the throttler keeps it elsewhere. */
function markOf(decorate: ClassDecorator): unknown {
  const probe = (): void => undefined;
  decorate(probe);
  const [mark, second] = Reflect.getMetadataKeys(probe) as unknown[];
  if (mark !== undefined && second === undefined && Reflect.getMetadata(mark, probe) === true) return mark;
  throw new Error(
    'This version of @nestjs/throttler does not mark what @SkipThrottle() stands on by one key of metadata.',
  );
}
