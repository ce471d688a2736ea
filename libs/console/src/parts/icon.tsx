import type { JSX } from 'preact';

const PATHS = {
  add: 'M12 5v14M5 12h14',
  back: 'M15 6l-6 6 6 6',
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

export type IconName = keyof typeof PATHS;

/** A decorative picture: the text next to it has the same meaning. */
export function Icon({ name }: { readonly name: IconName }): JSX.Element {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
