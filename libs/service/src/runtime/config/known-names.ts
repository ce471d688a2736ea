import type { Role, Scope } from '@items/dtos/contract';

export interface KnownNames {
  isScope(text: unknown): text is Scope;
  isRole(text: unknown): text is Role;
}
