import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useRef, type ReactNode } from 'react';
import type { InfiniteQueryOptions } from '@items/client/react-query';

import { sentenceOf } from './sentence';

interface Props<Page, Row> {
  readonly label: string;
  readonly options: InfiniteQueryOptions<Page>;
  readonly rowsOf: (page: Page) => readonly Row[];
  readonly children: (row: Row) => ReactNode;
}

/** The rows of one walk: each once, however others change them meanwhile. It goes on where its end is seen. */
export function EndlessList<Page, Row extends { readonly id: string }>(props: Props<Page, Row>) {
  const { label, options, rowsOf, children } = props;
  const { data, error, isPending, isFetching, hasNextPage, fetchNextPage, refetch } = useInfiniteQuery({
    ...options,
    // What is read is one moment's: it is read anew where somebody asks for it.
    refetchOnWindowFocus: false,
  });
  const end = useRef<HTMLDivElement>(null);
  const canGoOn = hasNextPage && !isFetching && error === null;
  useEffect(() => {
    if (!canGoOn || end.current === null) return;
    const observer = new IntersectionObserver(([entry]) => {
      if (entry?.isIntersecting) void fetchNextPage();
    });
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [canGoOn, fetchNextPage]);

  const rows = data?.pages.flatMap((page) => rowsOf(page)) ?? [];
  return (
    <section aria-label={label} aria-busy={isFetching}>
      <p className="toolbar">
        <button onClick={() => void refetch()}>Reload</button>
        <span>{isPending ? 'Loading …' : `${String(rows.length)}${hasNextPage ? ' so far' : ' in all'}`}</span>
      </p>
      {rows.length > 0 && (
        <ul className="rows">
          {rows.map((row) => (
            <li key={row.id}>{children(row)}</li>
          ))}
        </ul>
      )}
      <p role="alert">{error === null ? '' : sentenceOf(error)}</p>
      <div ref={end}>{canGoOn && <button onClick={() => void fetchNextPage()}>More</button>}</div>
    </section>
  );
}
