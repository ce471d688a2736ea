import { type CheckContext } from '../context.js';

const reason = 'no credential is asked for';

/**
 * A service that accepts every request, even with garbage, has no §5. A service that refuses a stranger anywhere is
 * judged everywhere.
 */
export async function discoverAccess({ service, found, items }: CheckContext): Promise<void> {
  if (!service.credentials.given) {
    found.notes.push('No credential was given and none was asked for: of §5 nothing could be judged.');
    found.lacks('credential', reason);
    return;
  }
  const asked = [await service.get('/items', { as: 'anonymous' }), await service.get('/items', { as: 'impostor' })];
  if (found.has('items.write')) {
    asked.push(await service.send({ method: 'POST', path: '/items', as: 'anonymous', body: items.content() }));
  }
  // Any refusal counts: §5 has its own check of the status.
  if (asked.some(({ status }) => status >= 400)) return;
  found.notes.push('A credential was given, but the service also answers without one: of §5 nothing could be judged.');
  found.lacks('credential', reason);
}
