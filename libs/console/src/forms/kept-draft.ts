import type { Field } from '../document/field.js';
import type { Action } from '../document/model.js';
import type { Version } from '../service/rows.js';
import type { DraftObject } from './draft.js';

/** A form's draft, kept while the user logs in again, with the version that it changes. */
type KeptDraft = Readonly<{ draft: DraftObject; base: Version | undefined }>;

/** Stores a draft, without secrets, until the form is opened after the next login. */
export function keepDraft(action: Action, path: string, kept: KeptDraft): void {
  const secrets = [...action.secrets, ...secretNames(action.fields)];
  const visible = (name: string, value: unknown): unknown => (secrets.includes(name) ? undefined : value);
  sessionStorage.setItem(keyOf(action, path), JSON.stringify(kept, visible));
}

/** Returns a stored draft and deletes it. */
export function takeDraft(action: Action, path: string): KeptDraft | undefined {
  const kept = sessionStorage.getItem(keyOf(action, path));
  sessionStorage.removeItem(keyOf(action, path));
  return kept === null ? undefined : (JSON.parse(kept) as KeptDraft);
}

/** Includes the method, because the forms that edit and delete a member have the same path. */
function keyOf({ method, fields }: Action, path: string): string {
  return ['items-console:draft', method, path, ...fields.map(({ name }) => name)].join(' ');
}

function secretNames(fields: readonly Field[]): readonly string[] {
  return fields.flatMap(({ name, kind, fields: inner }) => (kind === 'secret' ? name : secretNames(inner)));
}
