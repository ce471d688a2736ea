import { admin } from '../harness/clients.js';
import { errorOf, expectStatus, fieldsOf } from '../harness/reading.js';
import type { CollectionUnderTest } from './collection-under-test.js';
import { createMember } from './create-member.js';

const UNKNOWN = { id: '01890000-0000-7000-8000-000000000009' };

/** Keys, references and parents of a collection. */
export function relationRules(collection: CollectionUnderTest): void {
  for (const key of collection.spec.unique ?? [])
    it(`another member with the same ${key.join(' and ')} is 409`, async () => {
      const body = collection.body(1);
      const { id } = await collection.create(1, body);
      const same = collection.body(2, Object.fromEntries(key.map((field) => [field, body[field]])));
      const error = errorOf(await admin.post(collection.path, same), 409);
      expect([error.code, fieldsOf(error)]).toEqual(['not_unique', [...key].sort()]);
      const other = await collection.create(2);
      expect(errorOf(await admin.put(collection.target(other), same), 409).code).toBe('not_unique');
      expectStatus(await admin.put(collection.target({ id }), body), 200);
      expectStatus(await admin.delete(collection.target({ id })), 204);
      expectStatus(await admin.post(collection.path, same), 201);
    });

  for (const { field, target: name, isKept } of collection.references)
    it(`${field} refers to a member of ${name}, which ${isKept ? 'can' : 'cannot'} be deleted`, async () => {
      const { id, target } = await createMember(name);
      const member = await collection.create(1, { [field]: id });
      const refused = await admin.post(collection.path, collection.body(1, { [field]: UNKNOWN.id }));
      expect(errorOf(refused, 422).details).toMatchObject([{ field, code: 'unknown_reference' }]);
      if (!isKept) expect(errorOf(await admin.delete(target), 409).code).toBe('has_references');
      else {
        expectStatus(await admin.delete(target), 204);
        expect((await collection.find(member.id))[field]).toBe(id);
      }
      expectStatus(await admin.delete(collection.target(member)), 204);
      if (!isKept) expectStatus(await admin.delete(target), 204);
    });

  const { parentName } = collection;
  if (parentName === undefined || collection.isOwned) return;

  it(`is below a member of ${parentName}: an unknown parent is 404`, async () => {
    const below = collection.pathBelow(UNKNOWN.id);
    const { id } = await collection.create();
    for (const path of [below, collection.pathBelow((await createMember(parentName)).id)]) {
      errorOf(await admin.get(`${path}/${id}`), 404);
      errorOf(await admin.put(`${path}/${id}`, collection.body()), 404);
      errorOf(await admin.delete(`${path}/${id}`), 404);
    }
    errorOf(await admin.get(below), 404);
    errorOf(await admin.post(below, collection.body()), 404);
  });

  it(`a member of ${parentName} with members below it cannot be deleted`, async () => {
    const { id, target } = await createMember(parentName);
    const made = await admin.post(collection.pathBelow(id), collection.body());
    const { id: member } = made.json() as { readonly id: string };
    expect(errorOf(await admin.delete(target), 409).code).toBe('has_children');
    expectStatus(await admin.delete(`${collection.pathBelow(id)}/${member}`), 204);
    expectStatus(await admin.delete(target), 204);
  });
}
