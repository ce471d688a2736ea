import type { DraftObject } from './draft.js';

/** A form that was open when the login ended is there again after the next login. */
const KEY = 'items-console:draft';

export function keepDraft(path: string, draft: DraftObject): void {
  sessionStorage.setItem(KEY, JSON.stringify({ path, draft }));
}

/** Returns a draft once. */
export function takeDraft(path: string): DraftObject | undefined {
  const kept = JSON.parse(sessionStorage.getItem(KEY) ?? '{}') as { path?: string; draft?: DraftObject };
  if (kept.path !== path) return undefined;
  sessionStorage.removeItem(KEY);
  return kept.draft;
}
