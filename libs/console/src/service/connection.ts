import { signal } from '@preact/signals';

/** Reason why the console waits, as a sentence; empty if it does not. */
export const notice = signal('');

let retryAt = 0;
let timer: ReturnType<typeof setInterval> | undefined;

/** Waits before a retry of the client, and shows a notice. */
export async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  retryAt = Math.max(retryAt, Date.now() + ms);
  timer ??= setInterval(update, 1000);
  update();
  await new Promise<void>((resolve) => {
    setTimeout(resolve, ms);
    signal?.addEventListener('abort', () => resolve(), { once: true });
  });
}

function update(): void {
  const seconds = Math.ceil((retryAt - Date.now()) / 1000);
  if (seconds <= 0) {
    clearInterval(timer);
    timer = undefined;
  }
  const wait = seconds > 0 && `The console tries again in ${String(seconds)} s.`;
  if (!navigator.onLine) notice.value = `You are offline. ${wait || 'The console continues when you are back.'}`;
  else notice.value = wait ? `The service is busy or cannot be reached. ${wait}` : '';
}

addEventListener('online', update);
addEventListener('offline', update);
update();
