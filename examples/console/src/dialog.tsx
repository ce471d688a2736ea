import { useId, useLayoutEffect, useRef, type ReactNode } from 'react';

interface Props {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A modal dialog: the browser keeps the focus in it, gives it back, and closes it by Escape. */
export function Dialog({ title, onClose, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  // Closed before it leaves the page: only then does the focus go back to where it was.
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <div className="title">
        <h2 id={id}>{title}</h2>
        <button aria-label={`Close ${title}`} onClick={onClose}>
          ✕
        </button>
      </div>
      {children}
    </dialog>
  );
}

/** A secret that nobody can show again. */
export function SecretDialog({ secret, onClose }: { readonly secret: string; readonly onClose: () => void }) {
  return (
    <Dialog title="The secret" onClose={onClose}>
      <p>Copy it now: it is shown this once, and stored nowhere.</p>
      <p>
        <code>{secret}</code>
      </p>
      <p className="toolbar">
        <button onClick={() => void navigator.clipboard.writeText(secret)}>Copy</button>
        <button className="primary" onClick={onClose}>
          I have it
        </button>
      </p>
    </Dialog>
  );
}
