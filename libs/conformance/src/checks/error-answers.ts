import { type CheckContext } from '../context.js';
import { type Ask, type Exchange, fieldsOf, header } from '../service/exchange.js';
import { unknownItem } from './unknown-item.js';

export interface WrongRequest {
  readonly status: number;
  readonly ask: Ask;
}

export const malformedJson = '{"name": "half a body';

/** One request for each status of §7 that this service can return. */
export async function wrongRequests(context: CheckContext): Promise<readonly WrongRequest[]> {
  const { found, items } = context;
  const unknown = await unknownItem(context);
  const create = { method: 'POST', path: '/items' };
  const wrong: WrongRequest[] = [
    { status: 404, ask: { path: unknown } },
    { status: 404, ask: { method: 'DELETE', path: unknown } },
    { status: 404, ask: { path: '/no-such-collection' } },
    { status: 405, ask: { method: 'PATCH', path: '/items', body: {} } },
    { status: 405, ask: { method: 'POST', path: unknown, body: items.content() } },
    { status: 422, ask: { ...create, body: {} } },
    { status: 422, ask: { ...create, body: [] } },
    { status: 400, ask: { ...create, raw: malformedJson } },
    { status: 400, ask: { method: 'PUT', path: unknown, raw: malformedJson } },
  ];
  if (found.has('credential')) {
    wrong.push({ status: 401, ask: { path: '/items', as: 'anonymous' } });
    wrong.push({ status: 401, ask: { path: '/items', as: 'impostor' } });
    wrong.push({ status: 401, ask: { ...create, as: 'anonymous', body: items.content() } });
  }
  if (found.has('read-only')) wrong.push({ status: 403, ask: { ...create, as: 'reader', body: items.content() } });
  return wrong;
}

/** The requests are sent once for several checks. Any error status counts. */
export function errorAnswers(context: CheckContext): Promise<readonly Exchange[]> {
  return context.once('error answers', async () => {
    const answers: Exchange[] = [];
    for (const { ask } of await wrongRequests(context)) answers.push(await context.service.send(ask));
    return answers.filter(({ status }) => status >= 400);
  });
}

/** The first part that an error body lacks. Each is a sentence, so that one sentence judges each body. */
export type ErrorBody = 'html' | 'number' | 'no JSON' | 'no error' | 'no message' | 'right';

export function errorBodyOf(answer: Exchange): ErrorBody {
  const { text, json } = answer;
  if (isPage(answer)) return 'html';
  const bare = text.replaceAll('"', '').trim();
  if (bare !== '' && !Number.isNaN(Number(bare))) return 'number';
  if (json === undefined) return 'no JSON';
  if (!('error' in fieldsOf(json))) return 'no error';
  return isReadable(fieldsOf(json)['error']) ? 'right' : 'no message';
}

/** A page is also a body labelled as one. */
export function isPage(answer: Exchange): boolean {
  const isLabelled = (header(answer, 'content-type') ?? '').startsWith('text/html');
  return answer.text.trimStart().startsWith('<') || (isLabelled && answer.text !== '');
}

/** Accepts a sentence or a word; refuses a bare code, a stack trace or a printed object. */
function isReadable(error: unknown): boolean {
  if (typeof error !== 'string' || !/\p{L}{2}/u.test(error)) return false;
  const isCode = /^\w+$/.test(error) && error.includes('_');
  const isTrace = error.includes('\n    at ') || error.includes('Traceback (most recent call last)');
  return !isCode && !isTrace && !error.includes('[object Object]');
}
