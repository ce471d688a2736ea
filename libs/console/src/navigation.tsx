import type { JSX } from 'preact';

import { useConsole } from './console.js';
import { mayCall, type Me } from './document/access.js';
import type { Collection } from './document/collection.js';
import { OWN, type Model } from './document/model.js';
import { titleOf } from './lists/list-view.js';
import { Link } from './router/link.js';
import { ACCOUNT } from './router/routes.js';

/** Paths of the collections that every service has. */
const BUILT_IN = ['/users', '/api-keys', '/clients', '/sessions', '/webhooks', '/audit-events', '/events'];

interface Entry {
  readonly to: string;
  readonly title: string;
}

/** One entry for each list that the user may read. */
export function Navigation({ isOpen, path }: { readonly isOpen: boolean; readonly path: string }): JSX.Element {
  const { model, me } = useConsole();
  const entries = entriesOf(model, me);
  const groups = [
    { name: 'Collections', entries: entries.filter(({ to }) => !BUILT_IN.includes(to)) },
    { name: 'Administration', entries: entries.filter(({ to }) => BUILT_IN.includes(to)) },
  ];
  return (
    <nav class={isOpen ? 'side open' : 'side'} aria-label="Collections">
      {groups
        .filter((group) => group.entries.length > 0)
        .map((group) => (
          <div key={group.name}>
            <h2>{group.name}</h2>
            <ul>
              {group.entries.map(({ to, title }) => (
                <li key={to}>
                  <Link to={to} isCurrent={isWithin(path, to, entries)}>
                    {title}
                  </Link>
                </li>
              ))}
            </ul>
          </div>
        ))}
    </nav>
  );
}

/** The service's own collections come first. */
export function entriesOf({ collections }: Model, me: Me): readonly Entry[] {
  const entries = collections.flatMap((collection) => {
    const to = pathFor(collection);
    if (to === undefined || !mayCall(collection.list, me)) return [];
    return [{ to, title: titleOf(collection, to) }];
  });
  return [...entries.filter(({ to }) => !BUILT_IN.includes(to)), ...entries.filter(({ to }) => BUILT_IN.includes(to))];
}

/** Lists directly below a user get an entry for the own ones. Other nested lists are in the view of their parent. */
function pathFor({ path }: Collection): string | undefined {
  if (path.startsWith(OWN)) return undefined;
  if (!path.includes('{')) return path;
  const own = /^\/users\/\{[^{}]*\}\/([^/{}]+)$/.exec(path);
  return own === null ? undefined : OWN + String(own[1]);
}

/** The entry with the longest path that the current one begins with. */
function isWithin(path: string, to: string, entries: readonly Entry[]): boolean {
  const isAbove = (each: Entry): boolean => path === each.to || path.startsWith(`${each.to}/`);
  if (path === ACCOUNT) return false;
  const above = entries.filter(isAbove).sort((one, other) => other.to.length - one.to.length);
  return above[0]?.to === to;
}
