import { type Role, ROLES, roleScopesOf, type Scope, SCOPES, SERVICE_SCOPES } from '@items/dtos/contract';
import type { EnumOverrides } from '@items/fields';
import { StartRefusedError } from '../../data/definition/start-refused.js';

const ROLE_NAME = /^[a-z][a-z0-9_-]{0,49}$/;
const NONE: ReadonlySet<Scope> = new Set();

/** Scopes and roles of one service. They are not global, because several services may run in one process. SPEC §5 */
export class Permissions {
  readonly scopes: readonly Scope[];
  /** Roles in ascending power: roles of the app come before `admin`. */
  readonly roles: readonly Role[];
  private readonly scopesByRole: ReadonlyMap<string, ReadonlySet<Scope>>;

  /**
   * @param collections Names of collections. Each name adds two scopes.
   * @throws {StartRefusedError} An invalid name, an unknown scope, or a redefinition of a built-in role.
   */
  constructor(collections: readonly string[], ownRoles: Readonly<Record<string, readonly string[]>> = {}) {
    const own = collections.flatMap((name) => [`${name}:read`, `${name}:write`]);
    this.scopes = [...(own as Scope[]), ...SERVICE_SCOPES];
    const scopesByRole = new Map<string, ReadonlySet<Scope>>(Object.entries(roleScopesOf(this.scopes)));
    const added: Role[] = [];
    for (const [name, scopes] of Object.entries(ownRoles)) {
      const wanted = this.checkedScopes(name, scopes);
      const known = scopesByRole.get(name);
      if (known !== undefined) requireSame(name, known, wanted);
      else {
        scopesByRole.set(name, wanted);
        added.push(name as Role);
      }
    }
    this.scopesByRole = scopesByRole;
    this.roles = [...ROLES.slice(0, -1), ...added, ...ROLES.slice(-1)];
  }

  readonly isScope = (text: unknown): text is Scope => (this.scopes as readonly unknown[]).includes(text);

  readonly isRole = (text: unknown): text is Role => (this.roles as readonly unknown[]).includes(text);

  /** @returns An empty set for a role that the service no longer has. */
  scopesOfRole(role: string): ReadonlySet<Scope> {
    return this.scopesByRole.get(role) ?? NONE;
  }

  private checkedScopes(role: string, scopes: readonly string[]): ReadonlySet<Scope> {
    if (!ROLE_NAME.test(role))
      throw new StartRefusedError(`A role cannot be called "${role}": it must match ${String(ROLE_NAME)}.`);
    const unknown = scopes.find((scope) => !this.isScope(scope));
    if (unknown !== undefined)
      throw new StartRefusedError(
        `The role "${role}" names the scope "${unknown}", but there are only ${this.scopes.join(', ')}.`,
      );
    return new Set(scopes as readonly Scope[]);
  }
}

function requireSame(role: string, held: ReadonlySet<Scope>, wanted: ReadonlySet<Scope>): void {
  if (held.size !== wanted.size || ![...held].every((scope) => wanted.has(scope)))
    throw new StartRefusedError(`The role "${role}" has other scopes already: ${[...held].join(', ')}.`);
}

/** Replaces scopes and roles in DTO classes by those of the service. */
export function enumOverridesOf({ scopes, roles }: Pick<Permissions, 'scopes' | 'roles'>): EnumOverrides {
  return new Map<readonly string[], readonly string[]>([
    [SCOPES, scopes],
    [ROLES, roles],
  ]);
}
