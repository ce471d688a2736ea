import { exampleProblems, referenceProblems } from '@items/testing';

import { startDescribedService, type DescribedService } from '../../service/testing/described-service.testing.js';
import { EVENT_KINDS, EVENT_SCOPES } from '../../service/testing/fixture.testing.js';

type Json = null | boolean | number | string | Json[] | { readonly [name: string]: Json };

function at(document: Json, pointer: string): Json | undefined {
  const names = pointer.split('/').slice(1);
  return names.reduce<Json | undefined>((place, name) => {
    const own = name.replaceAll('~1', '/').replaceAll('~0', '~');
    return typeof place === 'object' && place !== null ? (place as Record<string, Json>)[own] : undefined;
  }, document);
}

/** In the order of `Allow`. */
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS'];

function isEmpty(list: Json | undefined): boolean {
  return Array.isArray(list) && list.length === 0;
}

describe('The whole OpenAPI document', () => {
  let service: DescribedService;
  let document: Record<string, Json>;
  beforeAll(async () => {
    service = await startDescribedService();
    document = JSON.parse(JSON.stringify(service.served.document)) as Record<string, Json>;
  });
  afterAll(() => service.close());

  function operations(): [name: string, operation: Record<string, Json>][] {
    return Object.entries(document['paths'] as Record<string, Record<string, Record<string, Json>>>).flatMap(
      ([path, item]) =>
        Object.entries(item)
          .filter(([, operation]) => 'operationId' in operation)
          .map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const)
          .map(([name, operation]): [string, Record<string, Json>] => [name, operation]),
    );
  }

  it('has exactly the routes of the router, except HEAD and OPTIONS, which follow from the others', () => {
    // The console is for people, and its setup route only for the console.
    const expected = service.routes.filter((route) => !/^(HEAD|OPTIONS) | \/(console|favicon)/.test(route));
    expect(expected.length).toBeGreaterThan(30);
    expect(
      operations()
        .map(([name]) => name)
        .sort(),
    ).toEqual(expected.sort());
  });

  it('gives each operation a unique id, a summary, a described tag, and its scope', () => {
    const tags = (document['tags'] as { name: string }[]).map(({ name }) => name);
    const { securitySchemes } = document['components'] as { securitySchemes: object };
    const schemes = Object.keys(securitySchemes);
    const ids = operations().map(([, operation]) => operation['operationId']);
    expect(new Set(ids).size).toBe(ids.length);
    for (const [name, { summary, tags: own, security, 'x-required-scope': scope }] of operations()) {
      expect([name, typeof summary]).toEqual([name, 'string']);
      expect([name, tags]).toEqual([name, expect.arrayContaining(own as string[])]);
      const sets = name.includes('/events') ? EVENT_SCOPES.map((one) => [one]) : [scope === undefined ? [] : [scope]];
      const anyOf = sets.flatMap((scopes) => schemes.map((scheme) => ({ [scheme]: scopes })));
      expect([name, security]).toEqual([name, scope === undefined && isEmpty(security) ? [] : anyOf]);
    }
  });

  it('has 500 and 503 for everything, and 401, 403, 429 for operations that need a credential', () => {
    for (const [name, { responses, security }] of operations()) {
      const everywhere = ['400', '408', '431', '500', '503'];
      const statuses = isEmpty(security) ? everywhere : [...everywhere, '401', '403', '429'];
      expect([name, Object.keys(responses as object)]).toEqual([name, expect.arrayContaining(statuses)]);
    }
  });

  it('lists the allowed methods of each path in its 405, and 204 with Allow for OPTIONS', () => {
    for (const [path, item] of Object.entries(document['paths'] as Record<string, Record<string, Json>>)) {
      const routes = service.routes.filter((route) => route.split(' ')[1] === path);
      const methods = METHODS.filter((method) => method === 'OPTIONS' || routes.includes(`${method} ${path}`));
      expect(at(item['x-other-methods'] ?? null, '#/responses/204/headers')).toHaveProperty('Allow');
      const response = at(item['x-other-methods'] ?? null, '#/responses/405') as { $ref: string };
      const { content } = at(document, response.$ref) as { content: { 'application/json'?: { examples: Json } } };
      // The error of a page is HTML.
      const examples = content['application/json']?.examples;
      if (examples === undefined) continue;
      const { $ref } = (at(examples, '#/method_not_allowed') ?? {}) as { $ref?: string };
      const sentence =
        $ref === undefined ? at(examples, '#/example/value/error_description') : at(document, `${$ref}/value/error`);
      expect(sentence).toBe(`This method is not allowed here; allowed: ${methods.join(', ')}.`);
    }
  });

  it('has no broken reference, and no unused component', () => {
    expect(referenceProblems(document)).toEqual([]);
  });

  it('has a valid example with every schema of a body, a header and a parameter, and valid examples of fields', () => {
    const { problems, judged } = exampleProblems(document);
    expect(problems).toEqual([]);
    expect(judged).toBeGreaterThan(150);
  });

  it('has every kind of event with an example of its payload', () => {
    const webhooks = document['webhooks'] as Record<string, { post: Record<string, Json> }>;
    expect(Object.keys(webhooks)).toEqual(EVENT_KINDS);
    const payloads = Object.values(webhooks).map(({ post }) =>
      at(post, '#/requestBody/content/application~1json/examples/example/value'),
    ) as { type: string; data: { object: Record<string, Json>; previous?: Record<string, Json> } }[];
    expect(payloads.map(({ type }) => type)).toEqual(EVENT_KINDS);
    for (const { type, data } of payloads) {
      const isChange = !/\.(created|deleted)$/.test(type);
      const changed = Object.entries(data.previous ?? {}).filter(([name, value]) => value !== data.object[name]);
      // Something other than the time differs, and `previous` contains only differences.
      expect([type, Object.keys(data.previous ?? {}).length]).toEqual([type, changed.length]);
      expect([type, changed.length > 1]).toEqual([type, isChange]);
    }
    const objects = new Map(payloads.map(({ type, data: { object } }) => [type, object]));
    expect(Object.keys(objects.get('user.created') ?? {})).toEqual([
      'id',
      'role',
      'disabled',
      'created_at',
      'updated_at',
    ]);
    expect(objects.get('webhook.disabled')).not.toHaveProperty('url');
  });

  it('explains cursor walks, with the lifetime and the currency of this service', () => {
    const { description } = document['info'] as { description: string };
    const text = description.replaceAll('\n', ' ');
    expect(text).toContain('each exactly once; rows created later are not listed; rows deleted before their page is');
    expect(text).toContain('3600 seconds');
    expect(text).toContain('USD');
  });

  it('is served in its short form, the same bytes after each start, with an ETag', async () => {
    const answer = await service.client.get('/openapi.json');
    expect([answer.status, answer.header('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
    expect(answer.text).toBe(service.served.body.bytes.toString());
    const again = await service.client.get('/openapi.json', ['If-None-Match', answer.header('etag') ?? '']);
    expect([again.status, again.text]).toEqual([304, '']);
    const other = await startDescribedService();
    expect(other.served.body.bytes.toString()).toBe(answer.text);
    await other.close();
  });
});
