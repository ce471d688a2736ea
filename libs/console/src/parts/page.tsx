import type { ComponentChildren, JSX } from 'preact';
import { useEffect } from 'preact/hooks';

import { useConsole } from '../console.js';

/** A view: it names the window, and its heading gets the focus unless a field of a form has it. */
export function Page(props: { readonly title: string; readonly children: ComponentChildren }): JSX.Element {
  const { settings } = useConsole();
  const { title, children } = props;
  useEffect(() => {
    document.title = `${title} – ${settings.title}`;
  }, [title, settings]);
  useEffect(() => {
    const field = document.querySelector<HTMLElement>('main form :is(input, select, textarea)');
    (field ?? document.querySelector<HTMLElement>('main h1'))?.focus({ preventScroll: true });
  }, []);
  return <>{children}</>;
}
