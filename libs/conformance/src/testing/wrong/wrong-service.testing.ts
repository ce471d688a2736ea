import { type NamingOptions } from '../../naming/naming.js';
import { type Answer, type Handler, type Item, type Offers, type Request } from '../right-service.testing.js';

/** One wrong step before or after the right service. */
export type Step = (request: Request, right: Handler, items: Map<string, Item>) => Answer;

/** A wrong service, and the check that must fail. */
export interface WrongService {
  readonly fails: string;
  readonly what: string;
  readonly offers?: Partial<Offers>;
  readonly naming?: NamingOptions;
  /** Created for each run, because it may have state. */
  readonly make: () => Step;
}

export const wrong = (fails: string, what: string, step: Step, offers?: Partial<Offers>): WrongService => ({
  fails,
  what,
  make: () => step,
  ...(offers ? { offers } : {}),
});

export const isItem = ({ path }: Request): boolean => path.startsWith('/items/');
export const isList = ({ path, method }: Request): boolean => path === '/items' && method === 'GET';
export const byCursor = ({ query }: Request): boolean => query.has('limit') || query.has('cursor');
export const bodyOf = (answer: Answer): Record<string, unknown> => ({ ...(answer.body as Record<string, unknown>) });
export const itemOf = (request: Request, items: Map<string, Item>): Item | undefined =>
  items.get(request.path.slice(7));

/** Changes responses that have a status. */
export function instead(
  status: number,
  change: Partial<Answer>,
  applies: (request: Request) => boolean = () => true,
): Step {
  return (request, right) => {
    const answer = right(request);
    return answer.status === status && applies(request) ? { ...answer, ...change } : answer;
  };
}

/** Changes the bodies of successful responses. */
export function reshaped(
  applies: (request: Request) => boolean,
  change: (body: Record<string, unknown>) => unknown,
): Step {
  return (request, right) => {
    const answer = right(request);
    return answer.status < 300 && applies(request) ? { ...answer, body: change(bodyOf(answer)) } : answer;
  };
}

export function errors(change: (body: Record<string, unknown>, status: number) => Partial<Answer>): Step {
  return (request, right) => {
    const answer = right(request);
    return answer.status >= 400 ? { ...answer, ...change(bodyOf(answer), answer.status) } : answer;
  };
}

/** Ignores a parameter of lists. */
export const ignoring =
  (parameter: string, applies: (request: Request) => boolean = () => true): Step =>
  (request, right) => {
    const query = new URLSearchParams(request.query);
    if (applies(request)) query.delete(parameter);
    return right({ ...request, query });
  };

export const withKey = (request: Request, key: string): Request => ({
  ...request,
  headers: { ...request.headers, 'x-api-key': key },
});
export const key = 'key-that-may-write';
export const allowing =
  (applies: (request: Request) => boolean): Step =>
  (request, right) =>
    right(applies(request) ? withKey(request, key) : request);
export const anonymous = ({ headers }: Request): boolean => headers['x-api-key'] === undefined;
export const impostor = ({ headers }: Request): boolean => (headers['x-api-key'] ?? key) === 'not-a-valid-credential';
/** The service refuses these callers: a wrong step that accepts them would have two faults. */
export const stranger = (request: Request): boolean => anonymous(request) || impostor(request);
