import type { Scope } from '@items/dtos/contract';

/**
 * What a route asks of its caller: a scope, one of several, any valid credential, one that is no application's for its
 * user, or nothing.
 */
export type AccessRule = Scope | AnyScope | 'authenticated' | 'first-party' | 'public';

/** A scope of the service, or of a collection of one's own. */
export type ScopeName = Scope | `${string}:${'read' | 'write'}`;

/** Scopes of which one is enough. */
export type AnyScope = readonly [Scope, ...Scope[]];

/** Whether a rule asks for one scope. */
export function isScopeRule(rule: AccessRule): rule is Scope {
  return typeof rule === 'string' && rule.includes(':');
}

/** Under it stand all rules that a route was given; right is exactly one. */
const ACCESS_RULES = 'items:access-rules';

/** Adds a rule to a route. Two are kept as two, so that they can be told from one. */
export function declareRule(rule: AccessRule): MethodDecorator {
  return (_controller, _name, descriptor) => {
    const handler = descriptor.value as object;
    Reflect.defineMetadata(ACCESS_RULES, [...declaredRules(handler), rule], handler);
  };
}

/** The rules that a route's handler was given. */
export function declaredRules(handler: object): readonly AccessRule[] {
  return (Reflect.getMetadata(ACCESS_RULES, handler) ?? []) as readonly AccessRule[];
}
