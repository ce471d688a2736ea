import type { Scope } from '@items/contracts';

/** Where the name of the collection does not say it. */
const SENTENCES: Readonly<Partial<Record<Scope, string>>> = {
  'orders:read': 'See your orders',
  'orders:write': 'Place orders, confirm and cancel them',
  'users:read': 'See your name, e-mail address and role',
  'keys:manage': 'Create, change and delete API keys, which work on when this access has ended',
  'clients:manage': 'Register, change and remove applications',
  'webhooks:manage': 'Set where events are sent',
};

/** What a scope allows, as the person who is asked understands it: the client could … */
export function scopeSentence(scope: Scope): string {
  const [collection = '', action] = scope.split(':');
  const members = collection.replaceAll('-', ' ');
  return SENTENCES[scope] ?? `${action === 'read' ? 'See' : 'Create, change and delete'} ${members}`;
}
