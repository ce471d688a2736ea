import { type DtoClass, shownSchemaOf } from '@items/fields';

import { exampleOf } from '../description/example.js';
import { json } from '../description/media-types.js';
import type { Ending, OperationDescription } from '../description/operation.js';
import type { Components } from './components.js';
import { generalHeaders, headerRefs, rateLimitHeaders } from './headers.js';
import type { Content, Presence, Presences, Responses, ResponseObject } from '../openapi-document.js';

interface Success {
  readonly status: number;
  readonly description: string;
  readonly headers: Presences;
  readonly withoutBody?: true;
}

const OK: Success = { status: 200, description: 'OK', headers: {} };

const SUCCESSES: Readonly<Record<Ending, readonly Success[]>> = {
  plain: [OK],
  list: [{ ...OK, description: 'A page of the list.', headers: { Link: 'sometimes' } }],
  tagged: [
    { ...OK, headers: { ETag: 'always' } },
    { status: 304, description: 'The client has this state.', headers: { ETag: 'always' }, withoutBody: true },
  ],
  replaced: [{ ...OK, description: 'Replaced.', headers: { ETag: 'always' } }],
  created: [{ status: 201, description: 'Created.', headers: { ETag: 'always', Location: 'always' } }],
  deleted: [{ status: 204, description: 'Deleted.', headers: {}, withoutBody: true }],
  done: [{ status: 204, description: 'Done.', headers: {}, withoutBody: true }],
  redirected: [{ status: 303, description: 'Continue at the address in `Location`.', headers: { Location: 'always' } }],
};

export function successResponses(
  { ending, secret, headers: own, status: plainStatus, response: dto, ...described }: OperationDescription,
  rateLimit: Presence | undefined,
  components: Components,
): Responses {
  const content = described.content ?? (dto && contentOf(dto, components));
  const replay: Presences = ending === 'created' && secret !== true ? { 'Idempotent-Replayed': 'sometimes' } : {};
  const responses = SUCCESSES[ending].map(({ status, description, headers, withoutBody }) => {
    const all = {
      ...generalHeaders(components.api),
      ...rateLimitHeaders(rateLimit),
      ...headers,
      ...replay,
      ...own,
    };
    const response: ResponseObject = { description, headers: headerRefs(all, components) };
    return [
      String(ending === 'plain' ? (plainStatus ?? status) : status),
      withoutBody === true || content === undefined ? response : { ...response, content },
    ] as const;
  });
  return Object.fromEntries(responses);
}

function contentOf(dto: DtoClass, components: Components): Content {
  const schema = shownSchemaOf(dto);
  const reference = components.schemas.put(dto.name.replace(/Dto$/, ''), schema, 'Output');
  return json({ ...reference }, exampleOf(schema));
}
