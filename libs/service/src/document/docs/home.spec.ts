import { OpenApiValidator, type HttpClient } from '@items/testing';

import { startDescribedService, type DescribedService } from '../../service/testing/described-service.testing.js';

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

describe('SPEC §1.1: /', () => {
  let service: DescribedService;
  let client: HttpClient;
  const problems: string[] = [];
  beforeAll(async () => {
    service = await startDescribedService();
    const validator = new OpenApiValidator(service.served.document);
    client = service.client.withOptions({ observers: [(exchange) => problems.push(...validator.problems(exchange))] });
  });
  afterAll(() => service.close());
  afterEach(() => {
    // The document describes all responses.
    expect(problems).toEqual([]);
  });

  it.each(['GET', 'HEAD'])('redirects a browser to the documentation (%s)', async (method) => {
    for (const [path, accept] of [
      ['/', BROWSER],
      ['/', 'TEXT/HTML;q=0.1'],
      ['/?from=mail', 'text/html'],
    ] as const) {
      const answer = await client.send(method, path, { headers: [['Accept', accept]] });
      expect([answer.status, answer.header('location'), answer.header('vary')]).toEqual([302, '/docs', 'Accept']);
      expect(answer.header('x-request-id')).toEqual(expect.any(String));
    }
  });

  it.each(['*/*', 'application/json', 'text/html;q=0', 'text/*', ''])('is 404 with Accept: %s', async (accept) => {
    const answer = await client.get('/', ['Accept', accept]);
    expect([answer.status, answer.header('location'), answer.header('vary')]).toEqual([404, undefined, 'Accept']);
  });

  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('is 404 for %s', async (method) => {
    const answer = await client.send(method, '/', { headers: [['Accept', 'text/html']] });
    expect([answer.status, (answer.json() as { code: string }).code]).toEqual([404, 'route_not_found']);
  });

  it('does not apply to other paths', async () => {
    for (const path of ['//', '/x', '/;a']) expect((await client.get(path, ['Accept', 'text/html'])).status).toBe(404);
  });
});
