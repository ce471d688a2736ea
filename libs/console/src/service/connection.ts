import { Store } from '../parts/store.js';

/** Why the console waits: a sentence, or nothing. */
export class Connection {
  readonly notice = new Store<string | undefined>(undefined);
  #retryAt = 0;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor() {
    addEventListener('online', () => this.#update());
    addEventListener('offline', () => this.#update());
    this.#update();
  }

  /** The client waits before it sends a request again. */
  readonly sleep = async (ms: number, signal?: AbortSignal): Promise<void> => {
    this.#retryAt = Math.max(this.#retryAt, Date.now() + ms);
    this.#timer ??= setInterval(() => this.#update(), 1000);
    this.#update();
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      signal?.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true });
    });
  };

  #update(): void {
    const seconds = Math.ceil((this.#retryAt - Date.now()) / 1000);
    if (seconds <= 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
    }
    const wait = seconds > 0 ? ` The console tries again in ${String(seconds)} s.` : '';
    if (!navigator.onLine) this.notice.set(`You are offline.${wait || ' The console continues when you are back.'}`);
    else this.notice.set(wait === '' ? undefined : `The service is busy or cannot be reached.${wait}`);
  }
}
