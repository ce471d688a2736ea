import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect } from 'preact/hooks';

import { session } from '../session.js';
import { OWN } from '../document/model.js';
import { Link, type WithChildren } from '../parts/elements.js';
import { shortId } from '../service/labels.js';
import { settings } from '../service/settings.js';
import { ACCOUNT, routeOf } from './routes.js';

/** @property head Content next to the heading. */
type Props = WithChildren<{ title: string; path: string; head?: ComponentChildren }>;

/** Sets the window title, and focuses the heading unless a form has the focus. */
export function Page({ title, path, head, children }: Props) {
  useEffect(() => {
    document.title = `${title} – ${settings.title}`;
  }, [title]);
  // Moves the focus before the paint, when the user cannot be typing yet.
  useLayoutEffect(() => {
    if (document.querySelector('main form:focus-within') !== null) return;
    document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
  }, []);
  return (
    <>
      <Breadcrumbs path={path} />
      <div class="page-head">
        <h1 tabIndex={-1}>{title}</h1>
        {head}
      </div>
      {children}
    </>
  );
}

function Breadcrumbs({ path }: { readonly path: string }) {
  const { model, labels, me } = session;
  const parts = path.split('/').slice(1, -1);
  const crumbs = parts.flatMap((part, index) => {
    const to = `/${parts.slice(0, index + 1).join('/')}`;
    const route = routeOf(model, to);
    if (to === ACCOUNT) return [{ to, name: me.username }];
    if (route.view === 'member') return [{ to, name: labels.find(route.collection, part) ?? shortId(part) }];
    // Resources below `/users/me` belong to the account, not to the list of users.
    if (route.view !== 'list' || (to === '/users' && path.startsWith(OWN))) return [];
    return [{ to, name: route.collection.title }];
  });
  if (crumbs.length === 0) return null;
  return (
    <nav aria-label="Breadcrumbs" class="breadcrumbs">
      {crumbs.map(({ to, name }) => (
        <span key={to}>
          <Link to={to}>{name}</Link> <span aria-hidden="true">/</span>{' '}
        </span>
      ))}
    </nav>
  );
}
