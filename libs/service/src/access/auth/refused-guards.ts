import { GUARDS_METADATA } from '@nestjs/common/constants';
import type { ApplicationConfig } from '@nestjs/core';
import type { HandledBy } from '../../http/nest/route-config.js';
import { StartRefusedError } from '../../data/definition/start-refused.js';

/** Methods of the class that `AuthGuard()` of @nestjs/passport returns. The class has a random name. */
const PASSPORT_METHODS = ['canActivate', 'logIn', 'handleRequest', 'getAuthenticateOptions'];

/** Describes a guard that does not work in this service, as the end of an error sentence. */
export function describeUnsupportedGuard({ controller, handler }: HandledBy): string | undefined {
  const guards = [handler, controller].flatMap(
    (target) => (Reflect.getMetadata(GUARDS_METADATA, target) ?? []) as unknown[],
  );
  return guards.map(refusalOf).find((refusal) => refusal !== undefined);
}

export function requireKnownGuards(config: ApplicationConfig): void {
  const requestGuards = config.getGlobalRequestGuards().map(({ metatype }) => metatype);
  const refusal = [...config.getGlobalGuards(), ...requestGuards].map(refusalOf).find((each) => each !== undefined);
  if (refusal !== undefined) throw new StartRefusedError(`The application has the global ${refusal}`);
}

function refusalOf(guard: unknown): string | undefined {
  const classes = classesOf(guard);
  const [own] = classes;
  if (own === undefined) return undefined;
  if (classes.some(({ name }) => name === 'ThrottlerGuard')) {
    return `guard ${own.name}, and the service has its own quotas: remove it, and use @Throttle().`;
  }
  const passport = classes.find(({ prototype }) => PASSPORT_METHODS.every((method) => hasOwn(prototype, method)));
  if (passport === undefined) return undefined;
  const name = passport === own ? 'AuthGuard(…)' : own.name;
  return `guard ${name}, and the service authenticates requests itself: remove it, and use the option auth.strategies.`;
}

interface GuardClass {
  readonly name: string;
  readonly prototype: unknown;
}

/**
 * Returns the class and superclasses of a guard. The caller compares names, because a package may be installed twice.
 */
function classesOf(guard: unknown): GuardClass[] {
  const classes: GuardClass[] = [];
  let prototype: unknown = typeof guard === 'function' ? guard.prototype : Object.getPrototypeOf(Object(guard));
  while (typeof prototype === 'object' && prototype !== null && prototype !== Object.prototype) {
    classes.push(prototype.constructor);
    prototype = Object.getPrototypeOf(prototype);
  }
  return classes;
}

function hasOwn(prototype: unknown, name: string): boolean {
  return typeof prototype === 'object' && prototype !== null && Object.hasOwn(prototype, name);
}
