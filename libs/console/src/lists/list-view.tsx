import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';

import { Changes } from '../changes/changes.js';
import { inSentence } from '../service/labels.js';
import { session } from '../session.js';
import { OWN, type Collection } from '../document/model.js';
import { Button } from '../parts/elements.js';
import { Page } from '../router/page.js';
import { router } from '../router/router.js';
import type { Place } from '../router/routes.js';
import { FilterBar } from './filter-bar.js';
import { readQuery, toggleSort, withQuery, type ListQuery } from './list-query.js';
import { ListRows } from './list-rows.js';
import { useList } from './use-list.js';

/** The view of a list, with its filters. Sort, filters and ranges are in the URL. */
export function ListView({ collection, path }: Place) {
  const list = useList(collection, path, readQuery(collection, router.place.value.query), router.state.rows);
  const { total, rows, isLoading } = list.state.value;
  usePosition(rows.length, isLoading);
  // Reads the current URL, because another filter may have changed it since the last render.
  const change = (to: (current: ListQuery) => ListQuery): void =>
    router.replace(withQuery(path, to(readQuery(collection, router.place.peek().query))));
  const head = (
    <>
      <span class="total">{total === undefined ? '' : `${total.toLocaleString()} in all`}</span>
      {session.may(collection.create?.operation, path) && (
        <Button class="button primary" icon="add" onClick={() => void router.go(`${path}/new`)}>
          New {collection.noun}
        </Button>
      )}
    </>
  );
  const sort = (field: string): void => change((current) => toggleSort(collection, current, field));
  return (
    <Page title={titleOf(collection, path)} path={path} head={head}>
      <FilterBar list={list} onChange={change} />
      {collection.singular === 'audit_event' ? <Changes list={list} /> : <ListRows list={list} onSort={sort} />}
    </Page>
  );
}

/** Stores the scroll position in the history entry, and restores it after the rows have loaded. */
function usePosition(rows: number, isLoading: boolean): void {
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
  }, [rows]);
}

export function titleOf({ title }: Collection, path: string): string {
  return path.startsWith(OWN) ? `My ${inSentence(title)}` : title;
}
