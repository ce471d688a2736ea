import type { Request } from '../right-service.testing.js';
import {
  allowing,
  anonymous,
  impostor,
  instead,
  key,
  type Step,
  withKey,
  wrong,
  type WrongService,
} from './wrong-service.testing.js';

const doneAnyway =
  (applies: (request: Request) => boolean): Step =>
  (request, right) => {
    const answer = right(request);
    if (applies(request) && request.method !== 'GET') right(withKey(request, key));
    return answer;
  };

export const section5: readonly WrongService[] = [
  wrong(
    '5.missing.read',
    'lets strangers read',
    allowing((request) => anonymous(request) && request.method === 'GET'),
  ),
  wrong('5.missing.read', 'returns 404 without a credential', instead(401, { status: 404 })),
  wrong('5.missing.read', 'answers 403 without a credential', instead(401, { status: 403 }, anonymous)),
  wrong(
    '5.missing.write',
    'lets strangers write',
    allowing((request) => anonymous(request) && request.method !== 'GET'),
  ),
  wrong(
    '5.missing.write',
    'lets strangers delete',
    allowing((request) => anonymous(request) && request.method === 'DELETE'),
  ),
  wrong(
    '5.invalid.read',
    'lets any key read',
    allowing((request) => impostor(request) && request.method === 'GET'),
  ),
  wrong('5.invalid.read', 'answers 403 to a bad key', instead(401, { status: 403 }, impostor)),
  wrong(
    '5.invalid.write',
    'lets any key write',
    allowing((request) => impostor(request) && request.method !== 'GET'),
  ),
  wrong('5.refused.unchanged', 'executes writes that it refuses to strangers', doneAnyway(anonymous)),
  wrong(
    '5.url',
    'accepts the key in the URL',
    allowing((request) => anonymous(request) && request.query.get('api_key') === key),
  ),
  wrong('5.read-only.reads', 'refuses reading with the read-only key', (request, right) =>
    request.headers['x-api-key'] === 'key-that-may-read'
      ? { status: 403, body: { error: 'Not allowed.' } }
      : right(request),
  ),
  wrong('5.read-only.writes', 'answers 401 to the read-only key', instead(403, { status: 401 })),
  wrong(
    '5.read-only.writes',
    'lets the read-only key write',
    allowing(({ headers }) => headers['x-api-key'] === 'key-that-may-read'),
  ),
  wrong(
    '5.read-only.unchanged',
    'executes writes that it refuses to the read-only key',
    doneAnyway(({ headers }) => headers['x-api-key'] === 'key-that-may-read'),
  ),
];
