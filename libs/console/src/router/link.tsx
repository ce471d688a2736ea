import type { ComponentChildren, JSX } from 'preact';

import { useConsole } from '../console.js';

interface Props {
  /** Below the console, with its query. */
  readonly to: string;
  readonly class?: string;
  readonly isCurrent?: boolean;
  readonly children: ComponentChildren;
}

/** A link to a view of the console. */
export function Link({ to, isCurrent = false, children, ...rest }: Props): JSX.Element {
  const { router } = useConsole();
  return (
    <a
      href={router.href(to)}
      class={rest.class}
      aria-current={isCurrent ? 'page' : undefined}
      onClick={(event) => {
        if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        void router.go(to);
      }}
    >
      {children}
    </a>
  );
}
