import type { Role, Scope } from '@items/dtos/contract';

/** Recognises the scopes and roles of the service, which some variables name. */
export interface KnownNames {
  isScope(text: unknown): text is Scope;
  isRole(text: unknown): text is Role;
}
