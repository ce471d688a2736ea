import type { CheckContext } from '../check.js';
import { type CheckRequest, type Exchange, fieldsOf, header } from '../service/exchange.js';
import { expectThat, ifApplicable } from '../verdict.js';
import { about, type Draft } from './specified.js';

export const malformedJson = '{"name": "half a body';
/** Ids that a service may treat as unknown or as malformed. */
export const impossibleIds = ['no-such-item', '999999999', '00000000-0000-4000-8000-000000000000'];

/** At least one request for each status of §7 that this service can return. */
export async function wrongRequests(context: CheckContext): Promise<readonly CheckRequest[]> {
  const { found, items } = context;
  const unknown = await unknownItem(context);
  const create = { method: 'POST', path: '/items' };
  return [
    { path: unknown },
    { method: 'DELETE', path: unknown },
    { path: '/no-such-collection' },
    { method: 'PATCH', path: '/items', body: {} },
    { method: 'POST', path: unknown, body: items.content() },
    { ...create, body: {} },
    { ...create, body: [] },
    { ...create, raw: malformedJson },
    { method: 'PUT', path: unknown, raw: malformedJson },
    ...(found.has('credential')
      ? ([
          { path: '/items', as: 'anonymous' },
          { path: '/items', as: 'impostor' },
          { ...create, as: 'anonymous', body: items.content() },
        ] as const)
      : []),
    ...(found.has('read-only') ? ([{ ...create, as: 'reader', body: items.content() }] as const) : []),
  ];
}

/** Sends the wrong requests once for all checks, and returns the error responses. */
export function errorAnswers(context: CheckContext): Promise<readonly Exchange[]> {
  return context.once('error answers', async () => {
    const answers: Exchange[] = [];
    for (const request of await wrongRequests(context)) answers.push(await context.service.send(request));
    return answers.filter(({ status }) => status >= 400);
  });
}

export const ofErrors = about([], errorAnswers);

/** The first fault of an error body. Each fault has its own sentence, so that a body fails at most one sentence. */
type ErrorBody = 'html' | 'number' | 'no JSON' | 'no error' | 'no message' | 'right';

function errorBodyOf(answer: Exchange): ErrorBody {
  const { text, json } = answer;
  if (isPage(answer)) return 'html';
  const bare = text.replaceAll('"', '').trim();
  if (bare !== '' && !Number.isNaN(Number(bare))) return 'number';
  if (json === undefined) return 'no JSON';
  if (!('error' in fieldsOf(json))) return 'no error';
  return isReadable(fieldsOf(json)['error']) ? 'right' : 'no message';
}

/** Creates a check that no error body has the fault. */
export function errorBody(fault: ErrorBody, sentence: string, expected: string): Draft {
  return ofErrors(sentence, async (answers) => {
    for (const answer of answers) expectThat(errorBodyOf(answer) !== fault, answer, expected);
  });
}

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

/** Returns the path of a deleted item, whose id has the form that the service expects. */
export function unknownItem(context: CheckContext): Promise<string> {
  return context.once(
    'unknown item',
    async () => (await ifApplicable(pathOfDeletedItem(context))) ?? '/items/no-such-item',
  );
}

async function pathOfDeletedItem({ items, service }: CheckContext): Promise<string> {
  const item = await items.create();
  // Create a second item first: some services assign the last id again after its deletion.
  await items.create();
  await items.delete(item);
  // If the item still exists, use an id that no item has. Another check reports the failed DELETE.
  return (await service.get(item.path)).status === 200 ? `${item.path}0000` : item.path;
}

export function ofUnknownItem(
  request: Omit<CheckRequest, 'path'> = {},
): (context: CheckContext) => Promise<CheckRequest> {
  return async (context) => ({ ...request, path: await unknownItem(context) });
}
