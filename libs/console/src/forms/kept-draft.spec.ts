import type { Action } from '../document/model.js';
import { keepDraft, takeDraft } from './kept-draft.js';

const action = (method: string, ...names: string[]): Action => {
  const fields = names.map((name) => ({ name, kind: name.endsWith('password') ? 'secret' : 'text', fields: [] }));
  return { method, fields, secrets: ['token'] } as unknown as Action;
};
const edit = action('put', 'name', 'password');
const kept = { draft: { name: 'Typed' }, base: { data: { name: 'Old' }, etag: '"1"' } };
const stored = new Map<string, string>();

beforeEach(() => {
  stored.clear();
  const sessionStorage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  };
  Object.assign(globalThis, { sessionStorage });
});

it('returns a draft once, with the version that it changes', () => {
  keepDraft(edit, '/items/1', kept);
  expect(takeDraft(edit, '/items/1')).toEqual(kept);
  expect(takeDraft(edit, '/items/1')).toBeUndefined();
});

it('no other form takes or replaces a draft', () => {
  keepDraft(edit, '/items/1', kept);
  keepDraft(action('delete'), '/items/1', { draft: {}, base: undefined });
  expect(takeDraft(action('put', 'title'), '/items/1')).toBeUndefined();
  expect(takeDraft(edit, '/items/2')).toBeUndefined();
  expect(takeDraft(edit, '/items/1')).toEqual(kept);
});

it('stores no secrets', () => {
  const nested = { ...edit, fields: [{ ...edit.fields[0], name: 'user', kind: 'object', fields: edit.fields }] };
  const draft = { password: 'hidden', user: { name: 'Ann', password: 'hidden' } };
  keepDraft(nested as Action, '/items/1', { draft, base: { data: { token: 'hidden' }, etag: undefined } });
  expect([...stored.values()].join()).not.toContain('hidden');
  expect(takeDraft(nested as Action, '/items/1')?.draft).toEqual({ user: { name: 'Ann' } });
});
