import type { LoginStorage } from './login-options.js';

/** Storage that tabs of one browser share. */
export function memoryStorage(): LoginStorage & { keys(): string[] } {
  const kept = new Map<string, string>();
  return {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
    keys: () => [...kept.keys()],
  };
}
