import { type CheckContext } from '../context.js';

const reason = 'no credential is asked for';

/**
 * Whether any operation asks for a credential: one that is open to all of them, garbage included, has no §5.
 * One that refuses a stranger anywhere is judged everywhere.
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
  // Whatever a stranger is refused with: which status it has to be is §5's own sentence.
  if (asked.some(({ status }) => status >= 400)) return;
  found.notes.push('A credential was given, but the service also answers without one: of §5 nothing could be judged.');
  found.lacks('credential', reason);
}
