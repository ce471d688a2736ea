import { admin } from '../harness/clients.js';
import { errorOf, expectStatus, fieldsOf } from '../harness/reading.js';
import { memberOf, type CollectionUnderTest } from './collection-under-test.js';
import { omittedOf, wrongOf } from './sample-fields.js';

const UNKNOWN = { id: '01890000-0000-7000-8000-000000000009' };

/** §1, §2, §4: the five endpoints, and their bodies. */
export function endpointRules(collection: CollectionUnderTest): void {
  const fields = Object.entries(collection.spec.fields);

  describe('§4 Endpoints', () => {
    it('GET returns 200 with a JSON object holding an array plus paging fields', async () => {
      const page = await collection.page('');
      expect(Object.keys(page).sort()).toEqual([collection.name, 'page', 'per_page', 'total'].sort());
      expect(Array.isArray(collection.rows(page))).toBe(true);
    });

    it('Creating returns 201 Created with the new member, its assigned id, Location and ETag', async () => {
      const body = collection.body(1);
      const answer = await admin.post(collection.path, body);
      const created = memberOf(answer, 201);
      expect(created).toMatchObject(body);
      const given = [
        'id',
        ...(collection.parentField === undefined ? [] : [collection.parentField]),
        ...Object.keys(body),
        'created_at',
        'updated_at',
      ];
      expect(Object.keys(created).sort()).toEqual(given.sort());
      expect(answer.header('location')).toBe(collection.target(created));
      const read = await admin.get(collection.target(created));
      expect(memberOf(read)).toEqual(created);
      expect(read.header('etag')).toBe(answer.header('etag'));
      expect(read.header('cache-control')).toBe('private, no-cache, no-transform');
    });

    it('PUT replaces the whole: an omitted field becomes null, or its default', async () => {
      const { id, created_at: createdAt } = await collection.create(1);
      const body = collection.body(2);
      const needed = Object.fromEntries(collection.required.map((field) => [field, body[field]]));
      const replaced = memberOf(await admin.put(collection.target({ id }), needed));
      const omitted = fields.filter(([field]) => !(field in needed));
      const values = Object.fromEntries(omitted.map(([field, kind]) => [field, omittedOf(kind)]));
      expect(replaced).toMatchObject({ id, created_at: createdAt, ...needed, ...values });
      expect(await collection.find(id)).toEqual(replaced);
    });

    it('Deleting returns 204 with an empty body; afterwards the member is unknown', async () => {
      const member = await collection.create();
      const answer = await admin.delete(collection.target(member));
      expectStatus(answer, 204);
      expect(answer.body).toHaveLength(0);
      errorOf(await admin.get(collection.target(member)), 404);
    });

    it.each([UNKNOWN, { id: 'x' }, { id: '%00' }])('An unknown id returns 404: $id', async (unknown) => {
      errorOf(await admin.get(collection.target(unknown)), 404);
      errorOf(await admin.put(collection.target(unknown), collection.body()), 404);
      errorOf(await admin.delete(collection.target(unknown)), 404);
    });

    it('HEAD wherever GET; OPTIONS 204 with Allow; 405 carries Allow', async () => {
      const member = await collection.create();
      for (const [target, allowed, method] of [
        [collection.path, 'GET, HEAD, OPTIONS, POST', 'DELETE'],
        [collection.target(member), 'DELETE, GET, HEAD, OPTIONS, PUT', 'PATCH'],
      ] as const) {
        expectStatus(await admin.head(target), 200);
        const options = await admin.send('OPTIONS', target);
        expectStatus(options, 204);
        const refused = await admin.send(method, target);
        errorOf(refused, 405);
        for (const { all } of [options, refused].map((answer) => ({ all: answer.header('allow') ?? '' }))) {
          expect(all.split(', ').sort().join(', ')).toBe(allowed);
        }
      }
    });

    it('only lists have query parameters: elsewhere 400 that names the parameter', async () => {
      const target = collection.target(await collection.create());
      expect(errorOf(await admin.get(`${target}?verbose=1`), 400).error).toContain('verbose');
      expect(errorOf(await admin.post(`${collection.path}?verbose=1`, collection.body()), 400).error).toContain(
        'verbose',
      );
    });
  });

  describe('§2, §7 Bodies', () => {
    it('A malformed JSON body returns 400', async () => {
      const headers = [['Content-Type', 'application/json']] as const;
      errorOf(await admin.send('POST', collection.path, { body: '{"a":', headers }), 400);
    });

    for (const field of collection.required)
      it(`A create request missing ${field} returns 422 that names it`, async () => {
        const { [field]: _left, ...rest } = collection.body();
        const error = errorOf(await admin.post(collection.path, rest), 422);
        expect(fieldsOf(error)).toEqual([field]);
        expect(error.error).toContain(field);
      });

    it.each(fields)('%s: %s, or 422', async (field, kind) => {
      const target = collection.target(await collection.create());
      for (const value of wrongOf(kind)) {
        const body = collection.body(0, { [field]: value });
        expect(fieldsOf(errorOf(await admin.post(collection.path, body), 422))).toEqual([field]);
        expect(fieldsOf(errorOf(await admin.put(target, body), 422))).toEqual([field]);
      }
    });

    it('an unknown field is 422 and is named', async () => {
      const error = errorOf(await admin.post(collection.path, collection.body(0, { unknown_field: 1 })), 422);
      expect(fieldsOf(error)).toEqual(['unknown_field']);
    });

    it('a read-only field that a client sends back is ignored', async () => {
      const member = await collection.create();
      const sent = { ...member, id: UNKNOWN.id, created_at: 'never' };
      expect(memberOf(await admin.put(collection.target(member), sent))).toMatchObject({
        id: member.id,
        created_at: member['created_at'],
      });
    });
  });
}
