import type { Origin } from '../../data/database/origin.js';

import { positionAfter } from '../event-id.js';
import { DAY_MS, describeOnBothDatabases, Library } from './library.testing.js';
import type { AuditEvents } from '../audit/audit-events.js';
import { AuditPurge } from '../audit/audit-purge.js';

const WHOLE = { limit: 100, descending: false };
const SOMEBODY: Origin = {
  actorType: 'client',
  userId: null,
  credentialId: null,
  clientId: '01890000-0000-7000-8000-00000000000c',
  address: '127.0.0.1',
  requestId: 'r1',
};
const LOG = { warn: () => undefined };

describeOnBothDatabases('SPEC §6.3: audit events', (under) => {
  const begun = async (options: { readonly off?: boolean; readonly auditKeptMs?: number }) => {
    const library = await Library.begun(under.database, { auditKeptMs: 90 * DAY_MS, ...options });
    const { audit } = library.events;
    if (audit === undefined) throw new Error('It records nothing.');
    return { library, audit };
  };
  const typesOf = async (audit: AuditEvents, after?: string): Promise<readonly string[]> => {
    const { body } = await audit.page({ ...WHOLE, ...(after !== undefined && { after }) }, () => undefined);
    return body.audit_events.map(({ type, actor }) => `${type} by ${actor.type}`);
  };
  const addBook = ({ books }: Library, origin?: Origin): Promise<{ id: string }> =>
    books.transaction(async (tx) => (await books.insert(tx, { mark: 'x', n: 1 })).resource, { origin });

  it('begin at a position before all of them', async () => {
    const { library, audit } = await begun({});
    const { body } = await audit.page(WHOLE, () => undefined);
    expect(body.audit_events).toEqual([]);
    await addBook(library, SOMEBODY);
    expect(await typesOf(audit, body.after)).toEqual(['book.created by client']);
  });

  it('exist with EVENTS=off too; the gap expires positions of the feed, but not of the audit', async () => {
    const first = await begun({});
    const before = (await first.audit.page(WHOLE, () => undefined)).body.after;
    const feed = (await first.library.events.page(WHOLE, () => ({ all: ['book.created'], own: [], userId: null })))
      .body;
    const { library, audit } = await begun({ off: true });
    const { id } = await addBook(library);
    await library.books.transaction((tx) => library.books.delete(tx, id, () => undefined));
    expect(await typesOf(audit, before)).toEqual(['book.created by system', 'book.deleted by system']);
    await expect(library.events.page(WHOLE, () => ({ all: [], own: [], userId: null }))).rejects.toMatchObject({
      code: 'events_off',
    });
    const again = await begun({});
    expect(await typesOf(again.audit, before)).toHaveLength(2);
    const onwards = { ...WHOLE, after: feed.after };
    const read = again.library.events.page(onwards, () => ({ all: ['book.created'], own: [], userId: null }));
    await expect(read).rejects.toMatchObject({ code: 'expired_cursor' });
  });

  it('have the ids of the events of the same changes, even if changes overlap', async () => {
    const { library, audit } = await begun({});
    const kinds = ['book.created', 'book.updated', 'book.deleted'];
    const visible = { all: kinds, own: [], userId: null };
    const from = (await audit.page(WHOLE, () => undefined)).body.after;
    const after = (await library.events.page(WHOLE, () => visible)).body.after;
    const changes = Array.from({ length: 20 }, async (_, n) => {
      const { resource } = await library.books.create({ mark: String(n), n: 1 }, '/books');
      await library.books.replace(resource.id, { mark: String(n), n: 2 }, undefined);
      if (n % 2 === 0) await library.books.remove(resource.id);
    });
    await Promise.all(changes);
    const { events } = (await library.events.page({ ...WHOLE, after }, () => visible)).body;
    const records = (await audit.page({ ...WHOLE, after: from }, () => undefined)).body.audit_events;
    expect(events).toHaveLength(20 + 20 + 10);
    const ofEvent = (each: (typeof events)[number]): unknown[] => [each.id, each.type, each.timestamp];
    expect(records.map(({ id, type, timestamp }) => [id, type, timestamp])).toEqual(events.map(ofEvent));
    const objects = events.map(({ data }) => (data.object as { id: string }).id);
    expect(records.map(({ object }) => object.id)).toEqual(objects);
  });

  it('are not listed after they expire, purged or not; positions before them expire', async () => {
    const { library, audit } = await begun({});
    const start = (await audit.page(WHOLE, () => undefined)).body.after;
    const { id } = await addBook(library, SOMEBODY);
    const { body } = await audit.page(WHOLE, () => undefined);
    const record = body.audit_events.find(({ object }) => object.id === id);
    const short = await begun({ auditKeptMs: -1 });
    await expect(short.audit.get(String(record?.id))).rejects.toMatchObject({ code: 'audit_event_not_found' });
    expect(await typesOf(short.audit)).toEqual([]);
    await expect(typesOf(short.audit, start)).rejects.toMatchObject({ code: 'expired_cursor' });
    await expect(typesOf(short.audit, positionAfter(Date.now() * 1000))).rejects.toMatchObject({
      code: 'expired_cursor',
    });
    // The last expired audit event stays as the position of readers who have read everything.
    await addBook(library, SOMEBODY);
    await addBook(library, SOMEBODY);
    const purge = new AuditPurge(under.database, LOG, DAY_MS);
    expect(await purge.purge(undefined, Date.now() + 2 * DAY_MS)).toBeGreaterThan(0);
    expect(await typesOf(audit)).toHaveLength(1);
    expect(await purge.purge(undefined, Date.now() + 2 * DAY_MS)).toBe(0);
  });

  it('do not exist for a transaction that is rolled back', async () => {
    const { library, audit } = await begun({});
    const { after } = (await audit.page(WHOLE, () => undefined)).body;
    const undone = library.books.transaction(async (tx) => {
      await library.books.insert(tx, { mark: 'x', n: 1 });
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect(await typesOf(audit, after)).toEqual([]);
  });
});
