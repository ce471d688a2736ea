import { signal } from '@preact/signals';

import { settings } from '../service/settings.js';

interface EntryState {
  /** Position in the history of this window. */
  readonly index: number;
  /** Number of rows that the list had loaded. */
  readonly rows?: number;
  readonly scrollY?: number;
}

const { base } = settings;

class Router {
  /** Path below the console, such as `/items/019a…`, and its query. */
  readonly place = signal({ path: '', query: new URLSearchParams() });
  /** Asks the user before a form with unsaved changes is closed. Resolves to true to close it. */
  guard: (() => Promise<boolean>) | undefined;
  #index = 0;
  /** Whether the router itself causes the next `popstate`. */
  #isReturning = false;

  start(): void {
    history.scrollRestoration = 'manual';
    this.#index = this.state.index;
    this.remember({});
    this.#show();
    addEventListener('popstate', () => void this.#onPop());
    addEventListener('beforeunload', (event) => this.guard && event.preventDefault());
    addEventListener('click', (event) => this.#onClick(event));
  }

  get state(): EntryState {
    return { index: 0, ...(history.state as EntryState | null) };
  }

  remember(state: Partial<EntryState>): void {
    history.replaceState({ ...this.state, ...state }, '');
  }

  async go(path: string): Promise<void> {
    if (!(await this.mayLeave())) return;
    this.#index += 1;
    history.pushState({ index: this.#index }, '', base + path);
    this.#show();
  }

  replace(path: string): void {
    history.replaceState({ index: this.#index }, '', base + path);
    this.#show();
  }

  async mayLeave(): Promise<boolean> {
    const mayLeave = this.guard === undefined || (await this.guard());
    if (mayLeave) this.guard = undefined;
    return mayLeave;
  }

  async #onPop(): Promise<void> {
    const isOwn = this.#isReturning;
    this.#isReturning = false;
    const steps = this.state.index - this.#index;
    if (isOwn) return;
    if (this.guard !== undefined && steps !== 0) {
      // The URL has already changed: restore the previous URL until the user has decided.
      this.#isReturning = true;
      history.go(-steps);
      if (await this.mayLeave()) history.go(steps);
      return;
    }
    this.#index = this.state.index;
    this.#show();
  }

  /** Opens links to views of the console without a reload of the page. */
  #onClick(event: MouseEvent): void {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    const hasModifier = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
    if (link === null || event.defaultPrevented || event.button !== 0 || hasModifier) return;
    if (link.origin !== location.origin || !`${link.pathname}/`.startsWith(`${base}/`)) return;
    event.preventDefault();
    void this.go(link.pathname.slice(base.length) + link.search);
  }

  #show(): void {
    const path = location.pathname.slice(base.length).replace(/\/$/, '');
    this.place.value = { path, query: new URLSearchParams(location.search) };
  }
}

export const router = new Router();
