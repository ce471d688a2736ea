import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';

import { settings } from '../service/settings.js';

const ICONS = {
  add: 'M12 5v14M5 12h14',
  check: 'M5 13l4 4L19 7',
  close: 'M6 6l12 12M18 6L6 18',
  down: 'M12 5v14M6 13l6 6 6-6',
  error: 'M12 8v5m0 3v.01M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18z',
  filter: 'M4 6h16M7 12h10M10 18h4',
  menu: 'M4 7h16M4 12h16M4 17h16',
  reload: 'M20 11a8 8 0 1 0-2.3 6.3M20 5v6h-6',
  up: 'M12 19V5M6 11l6-6 6 6',
  user: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4 20a8 8 0 0 1 16 0',
} as const;

export type IconName = keyof typeof ICONS;

/** A decorative picture: the text next to it has the same meaning. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={ICONS[name]} />
    </svg>
  );
}

export type WithChildren<Props> = Readonly<Props> & { readonly class?: string; readonly children?: ComponentChildren };

interface ButtonProps {
  readonly icon?: IconName | undefined;
  readonly 'aria-label'?: string;
  readonly 'aria-expanded'?: boolean;
  /** The button gets the focus when its dialog opens. */
  readonly 'data-first'?: boolean;
  readonly onClick: () => void;
}

export function Button({ icon, children, ...attributes }: WithChildren<ButtonProps>) {
  return (
    <button type="button" class="button" {...attributes}>
      {icon && <Icon name={icon} />} {children}
    </button>
  );
}

/** A link to a view. @param to Path below the console, including the query. */
export function Link({ to, isCurrent = false, ...attributes }: WithChildren<{ to: string; isCurrent?: boolean }>) {
  return <a href={settings.base + to} aria-current={isCurrent ? 'page' : undefined} {...attributes} />;
}

/** The name of a field. Underscores look like spaces, but can be searched and copied. */
export function FieldName({ name }: { readonly name: string }) {
  const parts = name.split(/(_)/);
  return <span>{parts.map((part) => (part === '_' ? <span class="underscore">_</span> : part))}</span>;
}

export function Skeleton({ rows }: { readonly rows: number }) {
  return (
    <div class="skeleton" role="status">
      <span class="hidden">Loading</span>
      {Array.from({ length: rows }, (_, index) => (
        <div key={index} />
      ))}
    </div>
  );
}

/** A modal dialog. The browser keeps the focus inside, and restores it afterwards. */
export function Dialog({ title, onClose, ...attributes }: WithChildren<{ title: string; onClose: () => void }>) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    element?.querySelector<HTMLElement>('[data-first], input, select, textarea')?.focus();
    return () => element?.close();
  }, []);
  const cancel = (event: Event): void => {
    event.preventDefault();
    onClose();
  };
  // Chrome closes a dialog at the second Escape without a click between, even if the page prevents `cancel`.
  const escape = (event: KeyboardEvent): void => {
    if (event.key === 'Escape' && !event.defaultPrevented) cancel(event);
  };
  return (
    <dialog ref={dialog} aria-labelledby={id} onCancel={cancel} onKeyDown={escape} {...attributes}>
      <header class="dialog-head">
        <h2 id={id}>{title}</h2>
        <Button class="icon-button" icon="close" aria-label="Close" onClick={onClose} />
      </header>
      {attributes.children}
    </dialog>
  );
}

interface SmallTableProps {
  readonly label: string;
  readonly heads: readonly ComponentChildren[];
  readonly rows: readonly (readonly ComponentChildren[])[];
  readonly kinds?: readonly string[];
}

export function SmallTable({ label, heads, rows, kinds = [] }: SmallTableProps) {
  const attributes = (column: number): object => ({ key: column, 'data-kind': kinds[column] });
  return (
    <div class="table-frame" tabIndex={0} role="region" aria-label={label}>
      <table class="inner">
        <thead>
          <tr>
            {heads.map((head, column) => (
              <th scope="col" {...attributes(column)} children={head} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([first, ...cells], row) => (
            <tr key={row}>
              <th scope="row" {...attributes(0)} children={first} />
              {cells.map((cell, column) => (
                <td {...attributes(column + 1)} children={cell} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
