import { Store } from '../parts/store.js';

/** State of an entry of the browser's history. */
export interface EntryState {
  /** Position in the history of this window. */
  readonly index: number;
  /** Number of rows that the list had loaded. */
  readonly rows?: number;
  readonly scrollY?: number;
}

export interface Place {
  /** Below the console, such as `/items/019a…`. */
  readonly path: string;
  readonly query: URLSearchParams;
}

/** Asks before a form with unsaved changes is left. */
export type Guard = () => Promise<boolean>;

/** Navigation by the History API. */
export class Router {
  readonly place: Store<Place>;
  guard: Guard | undefined;
  readonly #base: string;
  #index: number;
  /** The next `popstate` is the router's own. */
  #isReturning = false;

  /** @param base Path of the console, such as `/console`. */
  constructor(base: string) {
    this.#base = base;
    history.scrollRestoration = 'manual';
    this.#index = this.state.index;
    this.remember({});
    this.place = new Store(this.#read());
    addEventListener('popstate', () => void this.#onPop());
    addEventListener('beforeunload', (event) => {
      if (this.guard !== undefined) event.preventDefault();
    });
  }

  get state(): EntryState {
    return { index: 0, ...(history.state as EntryState | null) };
  }

  /** @param path Below the console, with its query. */
  href(path: string): string {
    return this.#base + path;
  }

  /** Adds to the state of the current entry. */
  remember(state: Partial<EntryState>): void {
    history.replaceState({ ...this.state, ...state }, '');
  }

  async go(path: string): Promise<void> {
    if (!(await this.#mayLeave())) return;
    this.#index += 1;
    history.pushState({ index: this.#index }, '', this.href(path));
    this.#show();
  }

  /** Changes the URL of the current entry. */
  replace(path: string): void {
    history.replaceState({ index: this.#index }, '', this.href(path));
    this.#show();
  }

  async #onPop(): Promise<void> {
    if (this.#isReturning) {
      this.#isReturning = false;
      return;
    }
    const steps = this.state.index - this.#index;
    if (this.guard !== undefined && steps !== 0) {
      // The URL has changed already: go back to it until the user has decided.
      this.#isReturning = true;
      history.go(-steps);
      if (await this.#mayLeave()) history.go(steps);
      return;
    }
    this.#index = this.state.index;
    this.#show();
  }

  async #mayLeave(): Promise<boolean> {
    if (this.guard === undefined) return true;
    if (!(await this.guard())) return false;
    this.guard = undefined;
    return true;
  }

  #show(): void {
    this.place.set(this.#read());
  }

  #read(): Place {
    const path = location.pathname.slice(this.#base.length).replace(/\/$/, '');
    return { path, query: new URLSearchParams(location.search) };
  }
}
