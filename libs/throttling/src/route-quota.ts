import type { RateLimit } from '@items/conventions';
import { SkipThrottle, Throttle } from '@nestjs/throttler';

export interface RouteQuota {
  /** Identifies the handler in the keys of its windows. */
  readonly id: string;
  readonly rateLimit?: RateLimit | undefined;
  /** From `@SkipThrottle()`: requests with valid credentials skip the quotas over all routes. */
  readonly skipsCommon: boolean;
}

/** A decorator has an option that `Quota` does not support. */
export class ThrottleOptionsError extends Error {
  override readonly name = 'ThrottleOptionsError';
}

const DEFAULT = 'default';
/*
 * Prefixes of the metadata keys. `@nestjs/throttler` does not export them, so this file decorates probes and reads
 * their keys (version 6.7.1: each key ends with the name of the throttler).
 */
const [TTL, LIMIT, ...OTHERS] = prefixesOf(Throttle({ [DEFAULT]: { ttl: 1, limit: 2 } })) as [string, string];
const [SKIP] = prefixesOf(SkipThrottle()) as [string];

/**
 * Decorators of the handler take precedence over those of its controller.
 * @returns undefined without decorators.
 * @throws {ThrottleOptionsError} a name other than `default`, an option other than `limit` and `ttl`, or a value that
 *   is not a positive integer.
 */
export function routeQuotaOf(
  controller: { readonly name: string },
  handler: { readonly name: string },
): RouteQuota | undefined {
  const where = `${controller.name}.${handler.name}()`;
  for (const target of [handler, controller]) requireKnownNames(target, where);
  const read = (prefix: string): unknown =>
    Reflect.getMetadata(prefix + DEFAULT, handler) ?? Reflect.getMetadata(prefix + DEFAULT, controller);
  if (OTHERS.some((prefix) => read(prefix) !== undefined)) {
    throw new ThrottleOptionsError(`@Throttle() of ${where} has an option other than limit and ttl: remove it.`);
  }
  const [ttl, limit, skipsCommon] = [read(TTL), read(LIMIT), read(SKIP) === true];
  if (ttl === undefined && limit === undefined) return skipsCommon ? { id: where, skipsCommon } : undefined;
  if (!isCount(ttl) || !isCount(limit)) {
    throw new ThrottleOptionsError(
      `@Throttle() of ${where} needs a limit and a ttl in milliseconds that are whole numbers above 0.`,
    );
  }
  return { id: where, skipsCommon, rateLimit: { requests: limit, seconds: ttl / 1000 } };
}

function requireKnownNames(target: object, where: string): void {
  for (const key of Reflect.getMetadataKeys(target) as unknown[]) {
    const prefix = [TTL, SKIP].find((each) => typeof key === 'string' && key.startsWith(each));
    if (prefix === undefined || key === prefix + DEFAULT) continue;
    const name = String(key).slice(prefix.length);
    const decorator = prefix === TTL ? '@Throttle()' : '@SkipThrottle()';
    throw new ThrottleOptionsError(
      `${decorator} of ${where} names the throttler "${name}": use the name "${DEFAULT}".`,
    );
  }
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0;
}

function prefixesOf(decorate: ClassDecorator): string[] {
  const probe = (): void => undefined;
  decorate(probe);
  const keys = Reflect.getMetadataKeys(probe).filter((key) => String(key).endsWith(DEFAULT)) as string[];
  const byValue = (wanted: unknown): string[] => keys.filter((key) => Reflect.getMetadata(key, probe) === wanted);
  const sorted = [...byValue(1), ...byValue(2), ...byValue(true), ...byValue(undefined)];
  if (sorted.length === 0)
    throw new Error('This version of @nestjs/throttler stores the options of decorators elsewhere.');
  return sorted.map((key) => key.slice(0, -DEFAULT.length));
}
