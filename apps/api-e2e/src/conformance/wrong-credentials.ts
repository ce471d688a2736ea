import { empty, instead, json, notFound, on, status, text, wrong, type WrongDecision } from './wrong-decision.js';

/** Wrong logins, keys and codes. */
export const ofCredentials: readonly WrongDecision[] = [
  wrong(
    'gives no refresh token',
    ['5.login.answer'],
    json(({ refresh_token: _, ...body }) => body),
  ),
  wrong(
    'reveals unknown users',
    ['5.login.same-answer'],
    () => async (request, right) =>
      request.body.includes('"unknown-') ? { ...notFound, status: 401 } : right(request),
  ),
  wrong('ends no session', ['5.session.ended'], instead(on('DELETE', /^\/sessions/), empty)),
  wrong('refreshes twice', ['5.session.refreshed'], status(400, 200, on('POST', /oauth/))),
  wrong(
    'knows no Basic',
    ['5.basic'],
    () => async (request, right) =>
      request.headers.authorization?.startsWith('Basic') ? { ...notFound, status: 401 } : right(request),
  ),
  wrong('knows no me', ['5.users.me'], instead(on('GET', /^\/users\/me/), notFound)),
  wrong(
    'shows passwords',
    ['5.users.no-password'],
    json((body) => ({ ...body, password: '' }), on('GET', /^\/users\//)),
  ),
  wrong(
    'makes keys of another form',
    ['5.keys.form'],
    text((body) => body.replace('"itk_', '"key_')),
  ),
  wrong('shows a key again', ['5.keys.shown-once'], () => {
    let shown = '';
    return async (request, right) => {
      const answer = await right(request);
      if (on('POST', /^\/api-keys$/)(request)) shown = answer.text;
      return on('GET', /^\/api-keys\//)(request) ? { ...answer, text: shown } : answer;
    };
  }),
  wrong('ends no key', ['5.keys.deleted'], instead(on('DELETE', /^\/api-keys/), empty)),
  wrong(
    'has no codes',
    ['7.code'],
    json(({ code: _, ...body }) => body),
  ),
];
