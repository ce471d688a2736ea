import type { Change, Identified, Peer, StoredCopy } from '../store.js';

interface Message<Row> {
  readonly status: string;
  /** Version of the stored copy. Increases with each write. */
  readonly version: number;
  /** The difference from the previous version. Undefined: read the whole copy. */
  readonly change?: Change<Row> | undefined;
}

interface SharedCopy<Row> {
  readonly read: () => Promise<StoredCopy<Row> & { readonly version: number }>;
  /** Reads the copy and makes this tab the writer. */
  readonly lead: () => Promise<StoredCopy<Row> & { readonly version: number }>;
  readonly onWrite: (listener: (version: number, change?: Change<Row>) => void) => void;
  readonly onLost: (listener: () => void) => void;
}

/** Interval in which the leader sends its status. */
const BEAT_MS = 1000;
/** After this number of missed status messages, the leader counts as frozen, and another tab steals the lock. */
const SILENT_BEATS = 30;

/**
 * Elects one tab as leader (Web Locks) and sends its writes to the other tabs (BroadcastChannel). Resolves when the
 * signal aborts, or `peer.lead` returns.
 * @param name Name of the lock and the channel.
 */
export async function shareBetweenTabs<Row extends Identified>(
  name: string,
  peer: Peer<Row>,
  signal: AbortSignal,
  copy: SharedCopy<Row>,
): Promise<void> {
  const { locks } = navigator as { readonly locks?: LockManager };
  // Pages served over plain HTTP have no Web Locks, so each of them leads.
  if (locks === undefined) return peer.lead(await copy.lead(), signal);

  const channel = new BroadcastChannel(name);
  let version = 0;
  let isLeading = false;
  let silentBeats = 0;
  let waiting = new AbortController();
  let hearing = Promise.resolve();
  const post = (change?: Change<Row>): void =>
    channel.postMessage({ status: peer.status(), version, change } satisfies Message<Row>);
  const readAgain = async (): Promise<void> => {
    const stored = await copy.read();
    version = stored.version;
    peer.hear({ copy: stored });
  };
  const hear = async ({ status, version: next, change }: Message<Row>): Promise<void> => {
    if (isLeading || signal.aborted) return;
    if (next === version + 1 && change !== undefined) {
      version = next;
      peer.hear({ change });
    } else if (next !== version) await readAgain();
    peer.hear({ status });
  };
  channel.onmessage = ({ data }: MessageEvent<Message<Row>>) => {
    silentBeats = 0;
    hearing = hearing.then(() => hear(data)).catch(() => undefined);
  };
  copy.onWrite((next, change) => {
    version = next;
    post(change);
  });
  const beat = setInterval(() => {
    if (isLeading) post();
    else if (++silentBeats > SILENT_BEATS) waiting.abort();
  }, BEAT_MS);
  /** Waits for the lock, then leads. @returns False if the wait was aborted, or another tab has stolen the lock. */
  const waitAndLead = async (options: LockOptions): Promise<boolean> => {
    const lost = new AbortController();
    const end = (): void => lost.abort(signal.reason);
    let led: Promise<void> | undefined;
    signal.addEventListener('abort', end);
    copy.onLost(end);
    try {
      await locks.request(name, options, async () => {
        isLeading = true;
        await hearing;
        const stored = await copy.lead();
        version = stored.version;
        await (led = peer.lead(stored, lost.signal));
      });
      return true;
    } catch (error) {
      if (!(error instanceof DOMException && error.name === 'AbortError')) throw error;
      return false;
    } finally {
      end();
      await led;
      signal.removeEventListener('abort', end);
      isLeading = false;
    }
  };

  try {
    await readAgain();
    signal.addEventListener('abort', () => waiting.abort());
    for (let hasEnded = false; !hasEnded && !signal.aborted;) {
      const isSilent = silentBeats > SILENT_BEATS;
      silentBeats = 0;
      waiting = new AbortController();
      hasEnded = await waitAndLead(isSilent ? { steal: true } : { signal: waiting.signal });
    }
  } finally {
    clearInterval(beat);
    copy.onWrite(() => undefined);
    channel.close();
  }
}
