import { type ProxiedAnswer, type ProxiedRequest, type Step } from './wrong-step-proxy.js';

/** A service that decides one thing wrongly, and the checks that must fail, by ids or their prefixes. */
export interface WrongDecision {
  readonly what: string;
  readonly fails: readonly string[];
  readonly make: () => Step;
}

export type Applies = (request: ProxiedRequest) => boolean;
export const always: Applies = () => true;
export const on =
  (method: string, path = /./): Applies =>
  (request) =>
    request.method === method && path.test(request.path);

/** Changes the responses of the service. */
export const answers =
  (
    change: (answer: ProxiedAnswer, request: ProxiedRequest) => Partial<ProxiedAnswer>,
    applies = always,
  ): (() => Step) =>
  () =>
  async (request, right) => {
    const answer = await right(request);
    return applies(request) ? { ...answer, ...change(answer, request) } : answer;
  };

/** Changes requests to the service. */
export const requests =
  (change: (request: ProxiedRequest) => Partial<ProxiedRequest>): (() => Step) =>
  () =>
  (request, right) =>
    right({ ...request, ...change(request) });

export const status = (from: number, to: number, applies = always, text?: string): (() => Step) =>
  answers((answer) => (answer.status === from ? { status: to, text: text ?? answer.text } : {}), applies);

export const text = (change: (body: string) => string, applies = always): (() => Step) =>
  answers((answer) => ({ text: change(answer.text) }), applies);

export type Body = Record<string, unknown>;
export const json = (change: (body: Body) => Body, applies = always): (() => Step) =>
  answers(
    (answer) => (answer.text.startsWith('{') ? { text: JSON.stringify(change(JSON.parse(answer.text) as Body)) } : {}),
    applies,
  );

export const instead =
  (applies: Applies, answer: ProxiedAnswer): (() => Step) =>
  () =>
  async (request, right) =>
    applies(request) ? answer : right(request);
export const empty: ProxiedAnswer = { status: 204, headers: {}, text: '' };
export const notFound: ProxiedAnswer = { status: 404, headers: {}, text: '{"error":"There is no such page."}' };

export const house =
  /^(location|etag|allow|link|www-authenticate|cache-control|x-request-id|x-ratelimit-.*|ratelimit.*|retry-after|api-version|idempotent-replayed)$/;
export const anonymous: Applies = ({ headers }) =>
  headers['x-api-key'] === undefined && headers.authorization === undefined;
export const malformed: Applies = ({ body }) => body.toString().endsWith('half a body');
export const list = /^\/items(\?|$)/;
export const item = /^\/items\/./;

export const wrong = (what: string, fails: readonly string[], make: () => Step): WrongDecision => ({
  what,
  fails,
  make,
});
