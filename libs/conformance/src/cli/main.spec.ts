import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { everything, type Item, rightService, serve } from '../testing/right-service.testing.js';
import { main } from './main.js';

const folder = mkdtempSync(join(tmpdir(), 'conformance-'));
afterAll(() => rmSync(folder, { recursive: true }));

const key = `X-API-Key: ${everything.key ?? ''}`;
const readOnlyKey = `X-API-Key: ${everything.readOnlyKey ?? ''}`;

interface Run {
  readonly wrong?: boolean;
  readonly interruptAfter?: number;
  readonly undeletable?: boolean;
  readonly isScreen?: boolean;
  readonly stepSummary?: string;
  /** Index of the request that gets 429. */
  readonly overQuotaAt?: number;
}

/** Runs the command against the right service, or a wrong one, which returns 200 for creations and echoes the key. */
async function run(
  words: (url: string) => string[],
  { wrong = false, undeletable = false, interruptAfter, isScreen = false, stepSummary, overQuotaAt }: Run = {},
) {
  const items = new Map<string, Item>();
  const right = rightService(everything, items);
  const interrupt = new AbortController();
  let requests = 0;
  const service = await serve((request) => {
    if (++requests === interruptAfter) interrupt.abort();
    if (requests === overQuotaAt) return { status: 429, headers: { 'Retry-After': '2' } };
    if (undeletable && request.method === 'DELETE') return { status: 500 };
    const answer = right(request);
    if (!wrong || answer.status !== 201) return answer;
    return { status: 200, body: { ...(answer.body as object), echo: request.headers['x-api-key'] } };
  });
  let [out, err] = ['', ''];
  const code = await main(words(service.url), {
    out: (text) => (out += text),
    err: (text) => (err += text),
    isTty: false,
    columns: isScreen ? 100 : undefined,
    ...(stepSummary === undefined ? {} : { stepSummary }),
    signal: interrupt.signal,
  });
  await service.stop();
  return { code, out, err, left: items.size };
}

describe('the command', () => {
  it('ends with 0 for a conformant service, on one screen', async () => {
    const { code, out, err } = await run((url) => [url, '--header', key, '--read-only-header', readOnlyKey]);
    expect({ code, err: err.split('\n').length }).toEqual({ code: 0, err: 2 });
    expect(out).toContain('Conformant: 0 failed.');
    expect(out).toMatch(/^ {2}§4 Endpoints and lists +\d+ passed/m);
    expect(out.split('\n').length).toBeLessThanOrEqual(60);
  });

  it('ends with 1 for a wrong service, and shows the sentence, an exchange, and the actual response', async () => {
    const { code, out } = await run((url) => [url, '--header', key, '--only', '4.create'], { wrong: true });
    expect(code).toBe(1);
    expect(out).toContain('FAILED 4.create.status\n  §4 "Creating answers 201 Created." (must)\n  curl -i -X POST ');
    expect(out).toContain(`-H "$ITEMS_HEADER" -H 'Content-Type: application/json' -d '{"name":"conformance-`);
    expect(out).toMatch(/expected 201; came 200 \{/);
  });

  it('writes the credential into no report', async () => {
    const files = ['junit', 'json', 'html'].flatMap((name) => [`--${name}`, join(folder, `wrong.${name}`)]);
    const { out } = await run((url) => [url, '--header', key, '--read-only-header', readOnlyKey, ...files], {
      wrong: true,
    });
    const texts = ['junit', 'json', 'html'].map((name) => readFileSync(join(folder, `wrong.${name}`), 'utf8'));
    for (const text of [out, ...texts]) {
      expect(text).toContain('4.create.status');
      expect(text).toContain('[credential]');
      expect(text).not.toContain(everything.key);
      expect(text).not.toContain(everything.readOnlyKey);
    }
    const { checks } = JSON.parse(texts[1] ?? '') as { checks: unknown[] };
    expect(checks).toContainEqual(
      expect.objectContaining({
        id: '4.create.status',
        section: '§4',
        source: 'specification',
        sentence: 'Creating answers 201 Created.',
        level: 'must',
        status: 'failed',
      }),
    );
    expect(texts[0]).toMatch(/<testsuite name="§4 Endpoints and lists" tests="\d+" failures="1"/);
  });

  it.each<[string, (url: string) => string[], RegExp]>([
    [
      'the service does not respond',
      () => ['http://127.0.0.1:1', '--header', key],
      /^Nothing answers at http:\/\/127\.0\.0\.1:1: .*\.$/,
    ],
    [
      'there is no collection',
      (url) => [`${url}/v1`, '--header', key],
      /^There is no collection at .*\/v1\/items \(404\)/,
    ],
    ['a credential is required', (url) => [url], /^The service asks for a credential \(401\): give one/],
    ['the credential is refused', (url) => [url, '--header', 'X-API-Key: old'], /^The credential is refused/],
    [
      'the credential may not write',
      (url) => [url, '--header', readOnlyKey],
      /^The credential may not create items \(403\)/,
    ],
    [
      'the read-only credential is refused',
      (url) => [url, '--header', key, '--read-only-header', 'X-API-Key: old'],
      /^The read-only credential is refused/,
    ],
    [
      'an option is unknown',
      (url) => [url, '--hedaer', key],
      /^Unknown option '--hedaer'; --help lists the options\.$/,
    ],
    ['the address is invalid', () => ['localhost:3000'], /^localhost:3000 is not an address/],
    ['the address contains a credential', () => ['http://a:b@localhost'], /^An address must not contain a credential/],
    ['there is no address', () => [], /^Give one address/],
    ['a header is invalid', (url) => [url, '--header', 'key'], /^A header is given as 'Name: value'\.$/],
    ['the profile is unknown', (url) => [url, '--profile', 'all'], /^There is no profile all/],
    ['no check has the name', (url) => [url, '--only', '§99'], /^There is no check §99/],
    [
      'the report cannot be written',
      (url) => [url, '--header', key, '--only', '4.list', '--json', '/no/x'],
      /^The report could not/,
    ],
  ])('ends with 2 and one plain sentence if %s', async (_, words, sentence) => {
    const { code, out, err } = await run(words);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err.trimEnd().split('\n').at(-1)).toMatch(sentence);
  });

  it('prints how long it waits if the quota is used up', async () => {
    const { code, err } = await run((url) => [url, '--header', key, '--only', '4.get'], { overQuotaAt: 3 });
    expect({ code, lines: err.split('\n').slice(1) }).toEqual({
      code: 0,
      lines: ['The quota is used up: waiting 2 s.', ''],
    });
  });

  it('deletes what it created if it is interrupted, and ends with 2', async () => {
    const { code, err, left } = await run((url) => [url, '--header', key], { interruptAfter: 150 });
    expect({ code, left }).toEqual({ code: 2, left: 0 });
    expect(err).toContain('Interrupted.');
  });

  it('lists the remaining resources if it is interrupted and cannot delete them', async () => {
    const asked = (url: string): string[] => [url, '--header', key, '--only', '4.cursor'];
    const { code, err, left } = await run(asked, { interruptAfter: 30, undeletable: true });
    expect(code).toBe(2);
    expect(left).toBeGreaterThan(0);
    expect(err).toMatch(/Interrupted\. Created resources that could not be deleted: \d+, such as \/items\/\S+\.\n$/);
  });

  it('has a help that fits a screen of 24 lines with 80 columns', async () => {
    const lines = (await run(() => ['--help'])).out.trimEnd().split('\n');
    expect(lines.length).toBeLessThan(24);
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(80);
  });

  it('begins its report with the judged rows and the verdict, and ends it with one line', async () => {
    const { out } = await run((url) => [url, '--header', key, '--read-only-header', readOnlyKey]);
    const lines = out.trimEnd().split('\n');
    expect(lines[0]).toMatch(/^Paging: 9 of 9 rows in \d+ walks$/);
    expect(lines[1]).toBe('Conformant: 0 failed.');
    expect(lines.at(-1)).toMatch(/^http\S+ is conformant: profile seed, \d+ passed, \d+ not applicable\. Paging: /);
  });

  it('notes a parameter that changes nothing in the text and in the JSON', async () => {
    const json = join(folder, 'notes.json');
    const { out } = await run((url) => [url, '--header', key, '--only', '4.get', '--json', json]);
    expect(out).toMatch(/^NOTE ignored_parameter: GET \/items .*\?colour=red/m);
    const { notes } = JSON.parse(readFileSync(json, 'utf8')) as { notes: string[] };
    expect(notes).toContainEqual(expect.stringMatching(/^ignored_parameter: /));
  });

  it('prints its usage and its version', async () => {
    expect((await run(() => ['--help'])).out).toContain('npx @items/conformance URL [options]');
    expect((await run(() => ['--version'])).out).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});
