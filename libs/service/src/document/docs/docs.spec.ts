import { startDescribedService, type DescribedService } from '../../service/testing/described-service.testing.js';

const FILES: [title: string, type: string][] = [
  ['docs-*.css', 'text/css; charset=utf-8'],
  ['docs-*.js', 'text/javascript; charset=utf-8'],
  ['favicon-*.svg', 'image/svg+xml'],
  ['reference-*.json', 'application/json; charset=utf-8'],
  ['scalar-*.js', 'text/javascript; charset=utf-8'],
];
/** Replaces the hash in a name. */
const titleOf = (name: string): string => name.replace(/-[\w-]{27}\./, '-*.');

describe('/docs', () => {
  let service: DescribedService;
  beforeAll(async () => {
    service = await startDescribedService();
  });
  afterAll(() => service.close());

  const filesOfPage = async (): Promise<string[]> => {
    const { text } = await service.client.get('/docs');
    return [...text.matchAll(/"docs\/([^"/]+)"/g)].map(([, name = '']) => name).sort();
  };

  it('is a page with all operations and first steps, before any script runs', async () => {
    const answer = await service.client.get('/docs');
    expect([answer.status, answer.header('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    for (const path of ['/items', '/items/{id}', '/api-keys/{id}', '/health/ready']) {
      expect(answer.text).toContain(`<code>${path}</code>`);
    }
    expect(answer.text).toContain('curl &#39;http://localhost:0/items&#39; -H &quot;X-API-Key: $ADMIN_API_KEY&quot;');
    expect(answer.text).toContain('<li><code>note.created</code>: A note was created</li>');
    expect(answer.text).toContain('href="openapi.json"');
  });

  it('loads nothing from other sites, and has no inline script', async () => {
    const { text, header } = await service.client.get('/docs').then((answer) => ({
      text: answer.text,
      header: answer.header('content-security-policy'),
    }));
    expect(header).toMatch(
      /^default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:;/,
    );
    expect(header).not.toContain('unsafe-eval');
    const links = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, link = '']) => link);
    expect(
      links.filter((link) => !/^(console|docs\/[\w.-]+|docs\/versions\/[\d-]+|openapi\.json|#.*)$/.test(link)),
    ).toEqual([]);
    expect(text).not.toMatch(/<script(?![^>]* src=)|<style|\sstyle=|\son\w+=/i);
    expect((await filesOfPage()).map(titleOf).sort()).toEqual(FILES.map(([title]) => title));
  });

  it('links to the page of its version, whose links work', async () => {
    const { text } = await service.client.get('/docs');
    const page = /href="(docs\/versions\/[^"]+)"/.exec(text)?.[1] ?? '';
    const answer = await service.client.get(`/${page}`);
    expect(answer.text).toContain('This is the current version.');
    expect(answer.header('content-security-policy')).not.toContain('unsafe');
    const links = [...answer.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, link = '']) => link);
    expect(links.length).toBeGreaterThan(2);
    for (const link of links) {
      const { pathname, host } = new URL(link, `http://service/${page}`);
      expect([link, host, (await service.client.get(pathname)).status]).toEqual([link, 'service', 200]);
    }
  });

  it.each(FILES)('serves %s as %s, cacheable without expiry, exempt from the quota', async (title, type) => {
    const name = (await filesOfPage()).find((each) => titleOf(each) === title) ?? '';
    const answer = await service.client.get(`/docs/${name}`);
    expect([answer.status, answer.header('content-type')]).toEqual([200, type]);
    expect(answer.header('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(answer.header('x-ratelimit-limit')).toBeUndefined();
    const again = await service.client.get(`/docs/${name}`, ['If-None-Match', answer.header('etag') ?? '']);
    expect([again.status, again.text]).toEqual([304, '']);
  });

  it('has its icon at /favicon.ico, too, exempt from the quota and not in the document', async () => {
    const answer = await service.client.get('/favicon.ico');
    expect([answer.status, answer.header('content-type')]).toEqual([200, 'image/svg+xml']);
    expect(answer.header('x-ratelimit-limit')).toBeUndefined();
    expect(service.served.document.paths).not.toHaveProperty('/favicon.ico');
  });

  it('lists the collections of the service first, then access, then operations', () => {
    const tags = service.served.document.tags.map(({ name }) => name);
    const order = ['Items', 'Users', 'API keys', 'OAuth 2.0', 'Events', 'Webhooks', 'Audit', 'Health', 'Documentation'];
    expect(tags.filter((tag) => order.includes(tag))).toEqual(order);
    expect(tags.indexOf('Notes')).toBeLessThan(tags.indexOf('Users'));
  });

  it.each([
    'index.html',
    'package.json',
    'docs.js',
    `docs-${'x'.repeat(27)}.js`,
    '..%2Fpackage.json',
    '..%2F..%2Fmain.ts',
    '__proto__',
    'constructor',
  ])('knows no file %s', async (name) => {
    const answer = await service.client.get(`/docs/${name}`);
    expect([answer.status, answer.header('cache-control')]).toEqual([404, 'private, no-cache']);
    expect(answer.json()).toEqual({ error: 'There is no resource at this path.', code: 'route_not_found' });
  });

  it('returns 404 for an unknown file before it checks query and headers', async () => {
    expect((await service.client.get('/docs/index.html?x=1', ['If-None-Match', 'x'])).status).toBe(404);
    expect((await service.client.get(`/docs/${(await filesOfPage())[0] ?? ''}`, ['If-None-Match', 'x'])).status).toBe(
      400,
    );
  });
});
