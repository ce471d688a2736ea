import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

import { useConsole } from '../console.js';
import { mayCall } from '../document/access.js';
import { ownerOf } from '../document/paths.js';
import { Icon } from '../parts/icon.js';
import { Failure } from '../parts/failure.js';
import { useStore } from '../parts/store.js';
import { Table } from './table.js';
import type { Walk } from './walk.js';

interface Props {
  readonly walk: Walk;
  readonly sort: string | undefined;
  readonly onSort?: (field: string) => void;
}

/** The rows of a list; the end of the page loads more. */
export function ListRows({ walk, sort, onSort }: Props): JSX.Element {
  const { feed } = useConsole();
  const { rows, isLoading, isDone, error } = useStore(walk.state);
  const { collection, path } = walk;
  // Events are read after the list, so that they do not delay it.
  useEffect(() => {
    if (!isLoading) feed.start();
  }, [feed, isLoading]);
  return (
    <section aria-label={collection.title} aria-busy={isLoading}>
      <Added walk={walk} />
      {rows.length > 0 && <Table {...{ collection, rows, sort, ...(onSort && { onSort }) }} path={`/${path}`} />}
      {isLoading && <Skeleton rows={rows.length === 0 ? 8 : 2} />}
      {isDone && rows.length === 0 && <Empty walk={walk} />}
      {error !== undefined && <Failure error={error} onRetry={() => void walk.load()} />}
      <More walk={walk} />
    </section>
  );
}

function Added({ walk }: { readonly walk: Walk }): JSX.Element {
  const { added } = useStore(walk.state);
  return (
    <div role="status" class="added">
      {added > 0 && (
        <button type="button" class="pill" onClick={() => void walk.load()}>
          <Icon name="reload" /> {added} new
        </button>
      )}
    </div>
  );
}

/** A button that presses itself when it comes into view. */
export function More({ walk }: { readonly walk: Walk }): JSX.Element | null {
  const button = useRef<HTMLButtonElement>(null);
  const { rows, isLoading, isDone, error } = useStore(walk.state);
  const isOpen = !isDone && !isLoading && error === undefined && rows.length > 0;
  useEffect(() => {
    if (button.current === null) return;
    // A busy page receives several entries in one call, and only the last may be in view.
    const isSeen = (entries: readonly IntersectionObserverEntry[]): boolean =>
      entries.some((each) => each.isIntersecting);
    const observer = new IntersectionObserver((entries) => isSeen(entries) && void walk.more(), {
      rootMargin: '600px',
    });
    observer.observe(button.current);
    return () => observer.disconnect();
    // Rows are others after each load, so that a button that stays in view is observed again.
  }, [walk, rows, isOpen]);
  if (!isOpen) return null;
  return (
    <button ref={button} type="button" class="more" onClick={() => void walk.more()}>
      Load more
    </button>
  );
}

export function Skeleton({ rows }: { readonly rows: number }): JSX.Element {
  return (
    <div class="skeleton" role="status">
      <span class="hidden">Loading</span>
      {Array.from({ length: rows }, (_, index) => (
        <div key={index} />
      ))}
    </div>
  );
}

function Empty({ walk: { collection, path, query } }: { readonly walk: Walk }): JSX.Element {
  const { me } = useConsole();
  const isNarrowed = Object.keys(query).some((name) => name !== 'sort');
  if (isNarrowed) return <p class="empty">Nothing matches these filters. Clear them to see the whole list.</p>;
  const mayCreate = mayCall(collection.create?.operation, me, ownerOf(collection, `/${path}`));
  const hint = mayCreate ? ` “New ${collection.noun}” creates the first one.` : '';
  return (
    <p class="empty">
      There are no {collection.title.toLowerCase()} yet.{hint}
    </p>
  );
}
