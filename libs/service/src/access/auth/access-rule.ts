import type { Scope } from '@items/dtos/contract';

/**
 * Requirement of a route: a scope, one of several scopes, any valid credential, any valid credential that is not an
 * application's, or none.
 */
export type AccessRule = Scope | AnyScope | 'authenticated' | 'first-party' | 'public';

/** A scope of the service, or of a collection that a team adds. */
export type ScopeName = Scope | `${string}:${'read' | 'write'}`;

/** Scopes of which the caller needs one. */
export type AnyScope = readonly [Scope, ...Scope[]];

export function isScopeRule(rule: AccessRule): rule is Scope {
  return typeof rule === 'string' && rule.includes(':');
}

/** Metadata key of the access rules of a handler. Exactly one is valid. */
const ACCESS_RULES = 'items:access-rules';

/** Adds a rule to a route. Stores duplicates, so that they can be refused. */
export function declareRule(rule: AccessRule): MethodDecorator {
  return (_controller, _name, descriptor) => {
    const handler = descriptor.value as object;
    Reflect.defineMetadata(ACCESS_RULES, [...declaredRules(handler), rule], handler);
  };
}

/** Returns all rules that were declared on a handler. */
export function declaredRules(handler: object): readonly AccessRule[] {
  return (Reflect.getMetadata(ACCESS_RULES, handler) ?? []) as readonly AccessRule[];
}
