import { Fragment, type JSX } from 'preact';

import { useConsole } from '../console.js';
import { OWN } from '../document/model.js';
import { useStore } from '../parts/store.js';
import { shortId } from '../service/labels.js';
import { Link } from './link.js';
import { ACCOUNT, routeOf } from './routes.js';

/** The way from the list of the outermost collection to this view. */
export function Breadcrumbs({ path }: { readonly path: string }): JSX.Element | null {
  const { model, labels, me } = useConsole();
  useStore(labels.changed);
  const parts = path.split('/').slice(1, -1);
  const crumbs = parts.flatMap((_, index) => {
    const to = `/${parts.slice(0, index + 1).join('/')}`;
    // Own things belong to the account, not to the list of users.
    if (path.startsWith(OWN) && to === '/users') return [];
    const route = routeOf(model, to);
    if (to === ACCOUNT) return [{ to, name: me.username }];
    if (route.view === 'list') return [{ to, name: route.collection.title }];
    if (route.view !== 'member') return [];
    return [{ to, name: labels.find(route.collection, route.id) ?? shortId(route.id) }];
  });
  if (crumbs.length === 0) return null;
  return (
    <nav aria-label="Breadcrumbs" class="breadcrumbs">
      {crumbs.map(({ to, name }) => (
        <Fragment key={to}>
          <Link to={to}>{name}</Link> <span aria-hidden="true">/</span>{' '}
        </Fragment>
      ))}
    </nav>
  );
}
