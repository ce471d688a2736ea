import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';

import { useConsole } from '../console.js';
import { mayCall } from '../document/access.js';
import type { Collection } from '../document/collection.js';
import { ownerOf } from '../document/paths.js';
import { Icon } from '../parts/icon.js';
import { useStore } from '../parts/store.js';
import { Breadcrumbs } from '../router/breadcrumbs.js';
import { Page } from '../parts/page.js';
import { Changes } from '../changes/changes.js';
import { FilterBar } from './filter-bar.js';
import { readQuery, sortBy, sortOf, toggleSort, withQuery, type ListQuery } from './list-query.js';
import { ListRows } from './list-rows.js';
import { useWalk } from './use-walk.js';

interface Props {
  readonly collection: Collection;
  readonly path: string;
  readonly search: URLSearchParams;
}

/** A whole list, with its filters. Sort, filters and ranges are in the URL. */
export function ListView({ collection, path, search }: Props): JSX.Element {
  const { router, me } = useConsole();
  const query = readQuery(collection, search);
  const walk = useWalk(collection, path, query, router.state.rows);
  const { total, rows, isLoading } = useStore(walk.state);
  usePosition(rows.length, isLoading);
  const change = (to: (current: ListQuery) => ListQuery): void =>
    router.replace(withQuery(path, to(readQuery(collection, router.place.value.query))));
  const sort = sortOf(collection, query);
  const title = titleOf(collection, path);
  const owner = ownerOf(collection, path);
  return (
    <Page title={title}>
      <Breadcrumbs path={path} />
      <div class="page-head">
        <h1 tabIndex={-1}>{title}</h1>
        <span class="total">{total === undefined ? '' : `${total.toLocaleString()} in all`}</span>
        {collection.create !== undefined && mayCall(collection.create.operation, me, owner) && (
          <button type="button" class="button primary" onClick={() => void router.go(`${path}/new`)}>
            <Icon name="add" /> New {collection.noun}
          </button>
        )}
      </div>
      <FilterBar collection={collection} query={query} onChange={change} />
      <SortChoice
        collection={collection}
        sort={sort}
        onSort={(next) => change((current) => sortBy(collection, current, next))}
      />
      {collection.singular === 'audit_event' ? (
        <Changes walk={walk} />
      ) : (
        <ListRows
          walk={walk}
          sort={sort}
          onSort={(field) => change((current) => toggleSort(collection, current, field))}
        />
      )}
    </Page>
  );
}

/** A phone has no heads to sort by. */
function SortChoice(props: {
  readonly collection: Collection;
  readonly sort: string | undefined;
  readonly onSort: (sort: string) => void;
}): JSX.Element | null {
  const { collection, sort, onSort } = props;
  if (collection.sorts.length === 0) return null;
  return (
    <label class="sort-choice">
      Sort{' '}
      <select value={sort ?? ''} onChange={({ currentTarget }) => onSort(currentTarget.value)}>
        {sort === undefined && <option value="">as created</option>}
        {collection.sorts.map((value) => (
          <option key={value} value={value}>
            {value.replace(/^-/, '').replaceAll('_', ' ')}
            {value.startsWith('-') ? ' ↓' : ' ↑'}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Keeps the position in the state of the entry, and returns to it after the rows have loaded. */
function usePosition(rows: number, isLoading: boolean): void {
  const { router } = useConsole();
  const wanted = useRef(router.state.scrollY);
  useLayoutEffect(() => {
    if (isLoading || wanted.current === undefined) return;
    scrollTo(0, wanted.current);
    wanted.current = undefined;
  }, [isLoading]);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const save = (): void => {
      clearTimeout(timer);
      if (wanted.current === undefined) timer = setTimeout(() => router.remember({ rows, scrollY }), 150);
    };
    addEventListener('scroll', save, { passive: true });
    return () => {
      clearTimeout(timer);
      removeEventListener('scroll', save);
    };
  }, [router, rows]);
}

export function titleOf(collection: Collection, path: string): string {
  if (collection.singular === 'audit_event') return 'Changes';
  return path.startsWith('/users/me/') ? `My ${collection.title.toLowerCase()}` : collection.title;
}
