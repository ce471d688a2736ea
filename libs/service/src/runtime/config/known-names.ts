import type { Role, Scope } from '@items/dtos/contract';

/** Checks names of scopes and roles of the service in variables. */
export interface KnownNames {
  isScope(text: unknown): text is Scope;
  isRole(text: unknown): text is Role;
}
