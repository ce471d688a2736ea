import { useCallback, useEffect, useState } from 'react';

import { sentenceOf } from './sentence';

/** How long a message is shown. An error is shown until somebody dismisses it, or another message comes. */
const SAID_MS = 10_000;

interface Said {
  readonly what: string | Error;
  /** Tells the same sentence, said again, from the one before. */
  readonly count: number;
}

/** What the page says to everybody, and how to say it. */
export function useMessage() {
  const [said, setSaid] = useState<Said>({ what: '', count: 0 });
  const say = useCallback((what: string | Error) => setSaid(({ count }) => ({ what, count: count + 1 })), []);
  useEffect(() => {
    if (said.what === '') return;
    const timer = said.what instanceof Error ? undefined : setTimeout(() => say(''), SAID_MS);
    const onKey = ({ key }: KeyboardEvent) => {
      if (key === 'Escape' && document.querySelector('dialog[open]') === null) say('');
    };
    addEventListener('keydown', onKey);
    return () => {
      clearTimeout(timer);
      removeEventListener('keydown', onKey);
    };
  }, [said, say]);
  return { said, say };
}

/** Seen wherever the list has been scrolled to. */
export function Message({ said: { what, count }, onDismiss }: { readonly said: Said; readonly onDismiss: () => void }) {
  const isError = what instanceof Error;
  return (
    <div className="said">
      <div role="status">{!isError && <span key={count}>{what}</span>}</div>
      <div role="alert">{isError && <span key={count}>{sentenceOf(what)}</span>}</div>
      {what !== '' && (
        <button aria-label="Dismiss the message" onClick={onDismiss}>
          ✕
        </button>
      )}
    </div>
  );
}
