import type { Target } from './change.js';
import { hasEnded, versionTable } from './version-table.js';
import { Versions } from './versions.js';

const OLD = '2026-11-20';
const NEW = '2027-06-01';
const END = { announced: '2028-06-01', on: '2029-06-01' };
const at =
  (day: string): (() => number) =>
  () =>
    Date.parse(`${day}T00:00:00Z`);
const asking = (version?: string) => ({ headers: version === undefined ? {} : { 'api-version': version } });
const two = (today: string) => new Versions({ table: [{ version: OLD, end: END }, { version: NEW }], now: at(today) });

describe('Api-Version (SPEC §9)', () => {
  const versions = two('2027-06-01');

  it.each([undefined, NEW])('%s is the current version: nothing is translated', (version) => {
    expect(versions.responseVersionFor(asking(version))).toBe(NEW);
    expect(versions.headersOf(asking(version))).toEqual({ 'api-version': NEW });
    expect(versions.headersOf(asking(version))).toBe(versions.headersOf());
    expect(versions.refusalFor(asking(version))).toBeUndefined();
    expect(versions.translationOf(asking(version))).toBeUndefined();
  });

  it.each(['2025-01-01', '', `${NEW}, ${NEW}`, 'latest', '__proto__'])(
    'refuses %p with 400 and the supported versions, in the current version',
    (version) => {
      expect(versions.responseVersionFor(asking(version))).toBe(NEW);
      expect(versions.headersOf(asking(version))).toEqual({ 'api-version': NEW });
      expect(versions.translationOf(asking(version))).toBeUndefined();
      expect(versions.refusalFor(asking(version))).toMatchObject({
        status: 400,
        code: 'unsupported_api_version',
        message: `This Api-Version is not supported; supported: ${NEW}, ${OLD}.`,
      });
    },
  );
});

describe('An older version', () => {
  const deprecation = {
    'api-version': OLD,
    deprecation: `@${String(Date.parse(`${NEW}T00:00:00Z`) / 1000)}`,
    link: '</docs/versions/2026-11-20>; rel="deprecation"',
  };

  it('announces its deprecation and its page from the day of its successor on', () => {
    expect(two('2027-06-01').headersOf(asking(OLD))).toEqual(deprecation);
    expect(two('2028-05-31').headersOf(asking(OLD))).toEqual(deprecation);
  });

  it('states its end from the announcement on', () => {
    const sunset = 'Fri, 01 Jun 2029 00:00:00 GMT';
    expect(two('2028-06-01').headersOf(asking(OLD))).toEqual({ ...deprecation, sunset });
    expect(two('2029-05-31').headersOf(asking(OLD))).toEqual({ ...deprecation, sunset });
  });

  it('is refused from its end on, with the supported versions and the page', () => {
    expect(two('2029-05-31').refusalFor(asking(OLD))).toBeUndefined();
    const ended = two('2029-06-01');
    expect(ended.supported).toEqual([NEW]);
    expect(ended.headersOf(asking(OLD))).toEqual({ 'api-version': NEW });
    expect(ended.translationOf(asking(OLD))).toBeUndefined();
    expect(ended.refusalFor(asking(OLD))).toMatchObject({
      status: 400,
      code: 'unsupported_api_version',
      message: `This Api-Version ended on 2029-06-01; supported: ${NEW}. What has changed since: /docs/versions/${OLD}.`,
    });
  });
});

describe('Versions of a service whose public address has a path', () => {
  const rename = {
    sentence: 'Books are novels.',
    link: (target: Target) => ({ ...target, path: target.path.replace('/books', '/novels') }),
  };
  const table = [{ version: OLD, end: END }, { version: NEW }];
  const versions = (today: string): Versions =>
    new Versions({ table, changes: { [NEW]: [rename] }, now: at(today) }).below('/api');

  it('begin links to their pages with this path', () => {
    expect(versions('2028-01-01').headersOf(asking(OLD))['link']).toBe(
      `</api/docs/versions/${OLD}>; rel="deprecation"`,
    );
    expect(versions('2029-06-01').refusalFor(asking(OLD))?.message).toContain(`: /api/docs/versions/${OLD}.`);
  });

  it('translate the path after it in Location and Link', () => {
    const translation = versions('2028-01-01').translationOf({ ...asking(OLD), method: 'GET', url: '/novels' });
    const headers = { location: '/api/books/1', link: '</api/books?page=2>; rel="next"' };
    const { headers: down } = translation?.response({ status: 200, headers, body: {} }, false) ?? {};
    expect(down).toMatchObject({
      location: '/api/novels/1',
      link: `</api/novels?page=2>; rel="next", </api/docs/versions/${OLD}>; rel="deprecation"`,
    });
    const elsewhere = { location: 'https://app.example/books' };
    expect(translation?.response({ status: 303, headers: elsewhere, body: {} }, false).headers).toMatchObject(
      elsewhere,
    );
  });
});

describe('The table of versions follows the rules of §9', () => {
  const fault =
    (...table: Parameters<typeof versionTable>[0]) =>
    () =>
      versionTable(table);

  it.each([
    ['at least 24 months after the successor', { announced: '2027-06-01', on: '2029-05-31' }, '2029-06-01'],
    ['at least 12 months after the announcement', { announced: '2028-12-01', on: '2029-11-30' }, '2029-12-01'],
  ])('an end is %s', (_, end, least) => {
    expect(fault({ version: OLD, end }, { version: NEW })).toThrow(`ends too early: on ${least} or later`);
    expect(fault({ version: OLD, end: { ...end, on: least } }, { version: NEW })).not.toThrow();
  });

  it('the current version has no end; versions are days, oldest first, each once', () => {
    expect(fault({ version: OLD, end: END })).toThrow('is the current one and cannot end');
    expect(fault({ version: NEW }, { version: OLD })).toThrow('write the table oldest first');
    expect(fault({ version: OLD }, { version: OLD })).toThrow('each once');
    expect(fault()).toThrow('must name versions');
    expect(fault({ version: '2026-02-30' })).toThrow('write YYYY-MM-DD');
    expect(fault({ version: '20261120' })).toThrow('write YYYY-MM-DD');
  });

  it('a version ends with the first moment of the day', () => {
    const row = { version: OLD, end: END };
    expect([hasEnded(row, at('2029-06-01')() - 1), hasEnded(row, at('2029-06-01')())]).toEqual([false, true]);
  });
});

describe('The changes of a version', () => {
  it('belong to a version of the table that is not the first', () => {
    const table = [{ version: OLD }, { version: NEW }];
    expect(() => new Versions({ table, changes: { '2030-01-01': [] } })).toThrow('There is no version 2030-01-01');
    expect(() => new Versions({ table, changes: { [OLD]: [] } })).toThrow('the first one');
  });

  it('are listed for each version, with later changes', () => {
    const table = [{ version: OLD, end: END }, { version: NEW }];
    const versions = new Versions({ table, changes: { [NEW]: [{ sentence: 'A change.' }] }, now: at('2029-06-01') });
    expect(versions.notesOf(OLD)).toEqual({
      version: OLD,
      deprecatedSince: NEW,
      end: END,
      hasEnded: true,
      changes: [],
      later: [{ version: NEW, changes: ['A change.'] }],
    });
    expect(versions.notesOf(NEW)).toMatchObject({ deprecatedSince: undefined, changes: ['A change.'], later: [] });
    expect(versions.notesOf('2030-01-01')).toBeUndefined();
  });
});
