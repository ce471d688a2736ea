import { type CheckContext } from '../context.js';
import { type Ask, type Exchange } from '../service/exchange.js';
import { unknownItem } from './unknown-item.js';

/** A request that must fail, and what with. */
export interface WrongRequest {
  readonly status: number;
  readonly ask: Ask;
}

export const malformedJson = '{"name": "half a body';

/** One wrong request for each status of §7 that this service can be brought to. */
export async function wrongRequests(context: CheckContext): Promise<readonly WrongRequest[]> {
  const { found, items } = context;
  const unknown = await unknownItem(context);
  const create = { method: 'POST', path: '/items' };
  const wrong: WrongRequest[] = [
    { status: 404, ask: { path: unknown } },
    { status: 404, ask: { path: '/no-such-collection' } },
    { status: 405, ask: { method: 'PATCH', path: '/items', body: {} } },
    { status: 422, ask: { ...create, body: {} } },
    { status: 400, ask: { ...create, raw: malformedJson } },
  ];
  if (found.has('credential')) {
    wrong.push({ status: 401, ask: { path: '/items', as: 'anonymous' } });
    wrong.push({ status: 401, ask: { path: '/items', as: 'impostor' } });
  }
  if (found.has('read-only')) wrong.push({ status: 403, ask: { ...create, as: 'reader', body: items.content() } });
  return wrong;
}

/** The answers to them that are errors, whatever their status: asked once, judged by several checks. */
export function errorAnswers(context: CheckContext): Promise<readonly Exchange[]> {
  return context.once('error answers', async () => {
    const answers: Exchange[] = [];
    for (const { ask } of await wrongRequests(context)) answers.push(await context.service.send(ask));
    return answers.filter(({ status }) => status >= 400);
  });
}
