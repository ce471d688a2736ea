import type { Scope } from '@items/dtos/contract';

/** An application acts for its user only, even if the user may act for others. */
const SENTENCES: Readonly<Partial<Record<Scope, string>>> = {
  'orders:read': 'See your own orders',
  'orders:write': 'Place orders for you, confirm and cancel them',
  'users:read': 'See your username, name, e-mail address and role',
  'keys:manage': 'Create API keys for you, and change and delete those that it created; they end with this access',
};

/** Completes "the application could …" on the consent page. */
export function scopeSentence(scope: Scope): string {
  const [collection = '', action] = scope.split(':');
  const members = collection.replaceAll('-', ' ');
  return SENTENCES[scope] ?? `${action === 'read' ? 'See' : 'Create, change and delete'} ${members}`;
}
