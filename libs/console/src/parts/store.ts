import { useEffect, useState } from 'preact/hooks';

/** A value that notifies its listeners when it changes. */
export class Store<T> {
  #value: T;
  readonly #listeners = new Set<() => void>();

  constructor(value: T) {
    this.#value = value;
  }

  get value(): T {
    return this.#value;
  }

  set(value: T): void {
    this.#value = value;
    for (const listener of [...this.#listeners]) listener();
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}

/** Renders the component again when the value changes. */
export function useStore<T>(store: Store<T>): T {
  const [, render] = useState({});
  const { value } = store;
  useEffect(() => {
    // An effect runs after the paint: a value that was set in between was not announced to this component.
    if (store.value !== value) render({});
    return store.subscribe(() => render({}));
  }, [store]);
  return value;
}
