import type { Scope } from '@items/dtos/contract';

/** `first-party` excludes applications acting for users. */
export type AccessRule = Scope | AnyScope | 'authenticated' | 'first-party' | 'public';

export type ScopeName = Scope | `${string}:${'read' | 'write'}`;

export type AnyScope = readonly [Scope, ...Scope[]];

export function isScopeRule(rule: AccessRule): rule is Scope {
  return typeof rule === 'string' && rule.includes(':');
}

/** Metadata key of a handler's access rules. A second is refused. */
const ACCESS_RULES = 'items:access-rules';

export function declareRule(rule: AccessRule): MethodDecorator {
  return (_controller, _name, descriptor) => {
    const handler = descriptor.value as object;
    Reflect.defineMetadata(ACCESS_RULES, [...declaredRules(handler), rule], handler);
  };
}

export function declaredRules(handler: object): readonly AccessRule[] {
  return (Reflect.getMetadata(ACCESS_RULES, handler) ?? []) as readonly AccessRule[];
}
