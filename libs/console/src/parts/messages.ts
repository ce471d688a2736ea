import { Store } from './store.js';

/** Time for which a message stays; an error stays until it is dismissed. */
const MESSAGE_MS = 6_000;

export interface Message {
  readonly text: string;
  readonly isError: boolean;
}

/** Shows one message at a time. */
export class Messages {
  readonly current = new Store<Message | undefined>(undefined);
  #timer: ReturnType<typeof setTimeout> | undefined;

  say(text: string): void {
    this.#show({ text, isError: false });
    this.#timer = setTimeout(() => this.dismiss(), MESSAGE_MS);
  }

  fail(text: string): void {
    this.#show({ text, isError: true });
  }

  dismiss(): void {
    this.#show(undefined);
  }

  #show(message: Message | undefined): void {
    clearTimeout(this.#timer);
    this.current.set(message);
  }
}
