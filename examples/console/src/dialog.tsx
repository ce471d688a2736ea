import { useEffect, useEffectEvent, useId, useLayoutEffect, useRef, useState, type ReactNode } from 'react';

interface Props {
  readonly title: string;
  readonly onClose: () => void;
  /** Asked before it closes. Left out: asked only where something was typed. */
  readonly question?: string | undefined;
  readonly children: ReactNode;
}

/** A modal dialog: the browser keeps the focus in it, and gives it back. Escape, ✕ and the browser's Back close it. */
export function Dialog({ title, onClose, question, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  const isUnsaved = () => question !== undefined || isTyped(dialog.current);
  const mayClose = () => !isUnsaved() || confirm(question ?? 'Close this without saving what you typed?');
  const close = () => {
    if (mayClose()) onClose();
    // A browser closes it at the second Escape, whatever the page says.
    else if (dialog.current?.open === false) dialog.current.showModal();
  };
  useHistoryEntry(dialog, mayClose, onClose);
  // Closed before it leaves the page: only then does the focus go back to where it was.
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  const warn = useEffectEvent((event: BeforeUnloadEvent) => {
    if (isUnsaved()) event.preventDefault();
  });
  useEffect(() => {
    const onUnload = (event: BeforeUnloadEvent) => warn(event);
    addEventListener('beforeunload', onUnload);
    return () => removeEventListener('beforeunload', onUnload);
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
      onClose={close}
    >
      <div className="title">
        <h2 id={id}>{title}</h2>
        <button aria-label={`Close ${title}`} onClick={close}>
          ✕
        </button>
      </div>
      {children}
    </dialog>
  );
}

function isTyped(dialog: HTMLDialogElement | null): boolean {
  return [...(dialog?.querySelectorAll('input') ?? [])].some(({ value, defaultValue }) => value !== defaultValue);
}

/** The browser's Back closes the dialog instead of the view. A dialog inside another one has no entry of its own. */
function useHistoryEntry(
  dialog: { readonly current: HTMLDialogElement | null },
  mayClose: () => boolean,
  onClose: () => void,
) {
  const leave = useEffectEvent(() => {
    if (!mayClose()) return false;
    onClose();
    return true;
  });
  useEffect(() => {
    if (dialog.current?.parentElement?.closest('dialog')) return;
    const { href } = location;
    // No other entry has it, those before a reload included.
    const entry = { dialog: Math.random() };
    const isHere = () => (history.state as Partial<typeof entry> | null)?.dialog === entry.dialog;
    history.pushState(entry, '');
    const onPop = () => {
      if (!isHere() && !leave()) history.pushState(entry, '', href);
    };
    addEventListener('popstate', onPop);
    return () => {
      removeEventListener('popstate', onPop);
      if (isHere()) history.back();
    };
  }, [dialog]);
}

/** A secret, which is shown only once. */
export function SecretDialog({ secret, onClose }: { readonly secret: string; readonly onClose: () => void }) {
  const code = useRef<HTMLElement>(null);
  const [isCopied, setCopied] = useState(false);
  const [said, say] = useState('');
  const copied = () => {
    setCopied(true);
    say('Copied.');
  };
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(secret);
      copied();
    } catch {
      // There is no clipboard without TLS, or the user has forbidden it.
      if (code.current) getSelection()?.selectAllChildren(code.current);
      say('This browser does not let the page copy. The secret is selected: copy it yourself.');
    }
  };
  return (
    <Dialog
      title="The secret"
      question={isCopied ? undefined : 'Close this without copying the secret? Nobody can show it again.'}
      onClose={onClose}
    >
      <p>Copy it now: it is shown this once, and stored nowhere.</p>
      <p>
        <code ref={code} onCopy={copied}>
          {secret}
        </code>
      </p>
      <p role="status">{said}</p>
      <p className="toolbar">
        <button onClick={() => void copy()}>Copy</button>
        <button className="primary" onClick={onClose}>
          I have it
        </button>
      </p>
    </Dialog>
  );
}
