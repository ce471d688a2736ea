import { useEffect, useRef } from 'preact/hooks';

import { inSentence } from '../service/labels.js';
import { session } from '../session.js';
import type { Collection } from '../document/model.js';
import { Button, Link, Skeleton, type WithChildren } from '../parts/elements.js';
import { Failure } from '../parts/failure.js';
import type { List } from './list.js';
import { Table, type TableProps } from './table.js';
import { useList } from './use-list.js';

type SectionProps = WithChildren<{ collection: Collection; path: string; title?: string | undefined }>;

export function ListSection({ collection, path, title = collection.title, children }: SectionProps) {
  const list = useList(collection, path, {});
  return (
    <section class="child">
      <div class="section-head">
        <h2 children={<Link to={path} children={title} />} />
        {children}
      </div>
      <ListRows list={list} />
    </section>
  );
}

export function ListRows({ list, onSort }: TableProps) {
  const { rows, isLoading, added } = list.state.value;
  return (
    <section aria-label={list.collection.title} aria-busy={isLoading}>
      <div role="status" class="added">
        {added > 0 && <Button class="pill" icon="reload" onClick={() => void list.load()} children={`${added} new`} />}
      </div>
      {rows.length > 0 && <Table list={list} onSort={onSort} />}
      <ListEnd list={list} />
    </section>
  );
}

/** Loads more rows when it comes into view. Shows progress, errors, and a hint for an empty list. */
export function ListEnd({ list }: { readonly list: List }) {
  const { rows, isLoading, isDone, error } = list.state.value;
  const { collection, path, query } = list;
  const end = useRef<HTMLDivElement>(null);
  // Starts the feed after the list, so that events do not delay the list.
  useEffect(() => {
    if (!isLoading) session.feed.start();
  }, [isLoading]);
  useEffect(() => {
    if (end.current === null) return;
    // The observer may report several entries in one call, and only the last may be in view.
    const look = (entries: readonly IntersectionObserverEntry[]): void => {
      if (entries.some((each) => each.isIntersecting)) void list.more();
    };
    const observer = new IntersectionObserver(look, { rootMargin: '600px' });
    observer.observe(end.current);
    return () => observer.disconnect();
    // `rows` changes with each load, so a button that stays in view is observed again and loads more.
  }, [list, rows, list.canLoadMore]);
  if (isLoading) return <Skeleton rows={rows.length === 0 ? 8 : 2} />;
  if (error !== undefined) return <Failure error={error} onRetry={() => void list.load()} />;
  const more = <Button class="more" onClick={() => void list.more()} children="Load more" />;
  if (!isDone) return <div ref={end}>{more}</div>;
  if (rows.length > 0) return null;
  const isNarrowed = Object.keys(query).some((name) => name !== 'sort');
  const hint = session.may(collection.create?.operation, path)
    ? ` “New ${collection.noun}” creates the first one.`
    : '';
  return (
    <p class="empty">
      {isNarrowed
        ? 'Nothing matches these filters. Clear them to see the whole list.'
        : `There are no ${inSentence(collection.title)} yet.${hint}`}
    </p>
  );
}
