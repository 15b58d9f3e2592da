import type { UseQueryResult } from '@tanstack/react-query';
import { ArrowLeft, ArrowRight, ChevronsLeft, ListX, type LucideIcon, SearchX } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import type { ListResponse } from '#contract/lists.ts';
import { ApiError } from '../../data/api.ts';
import { errorText } from '../../data/error-text.ts';
import { Button } from '../../ui/button.tsx';
import { joinClassNames } from '../../ui/classes.ts';
import { EmptyState, Notice } from '../../ui/surfaces.tsx';
import { LoadErrorNotice } from '../not-loaded.tsx';
import type { AdminSearch, OnSearch } from '../search.ts';
import { useSessionEndOn } from '../session.ts';
import { useShortcuts } from '../shortcuts.ts';
import { ColumnChoice } from './columns.tsx';
import { OptionalSelect, SearchBox } from './list-tools.tsx';
import { DownloadButtons } from './download-buttons.tsx';
import type { Downloads } from './list-query.ts';
import type { Column } from './list-table.tsx';
import { rowRangeText } from './list-rules.ts';

export interface ListProps<Row> {
  /** The noun for a row, singular and plural: `['order', 'orders']`. */
  nouns: readonly [one: string, many: string];
  page: UseQueryResult<ListResponse<Row>>;
  search: AdminSearch;
  onSearch: OnSearch;
  searchLabel: string;
  /** Omit it if the tab has another way to filter. */
  filter?: { label: string; all: string; options: readonly { value: string; label: string }[] };
  /** The sorts to choose from on phones, where there are no headings to click. The first sort is the default. */
  sorts?: readonly { value: string; label: string }[];
  /** False if the rows are never a table. The select for `sorts` is then visible on all screens. */
  hasHeadings?: boolean;
  /** The available columns, if rows are a table. */
  columns?: readonly Column<Row>[];
  /** The addresses to download the rows of this query. */
  downloads?: Downloads | undefined;
  /** Buttons next to the downloads. */
  tools?: ReactNode;
  /** Shown while the list has no rows at all. */
  empty: { icon: LucideIcon; title: string; words: string };
  /** The title of the error if the rows cannot be loaded. */
  notLoaded?: string;
  /** The placeholder while rows load. */
  skeleton: ReactNode;
  /** Renders the rows. */
  children: (rows: Row[]) => ReactNode;
}

/**
 * A list of the panel. The query is in the address, and the API returns one page at a time. Search and filter are above
 * the rows, page buttons below. The tab renders the rows. If there are no rows, a text says why.
 */
export function List<Row>(props: ListProps<Row>) {
  const { nouns, page, search, onSearch, filter, sorts, hasHeadings = true, empty, children } = props;
  const [, many] = nouns;
  const { data, error, refetch, isPlaceholderData } = page;
  useSessionEndOn(error);
  const searchBox = useRef<HTMLInputElement>(null);
  const topRef = useRef<HTMLParagraphElement>(null);
  // A new query starts at its first page, so remove the page's position (`after`).
  const changeSearch = (change: Partial<AdminSearch>) => onSearch({ ...change, after: undefined });
  const resetSearch = () => changeSearch({ q: undefined, filter: undefined, sort: undefined });
  const showPageAfter = (after: string | undefined) => {
    onSearch({ after }, { isPage: true });
    topRef.current?.focus();
  };
  const { next, previous } = data ?? {};
  useShortcuts({
    '/': () => searchBox.current?.focus(),
    n: next && !isPlaceholderData ? () => showPageAfter(next) : undefined,
    p: previous && !isPlaceholderData ? () => showPageAfter(previous) : undefined,
  });
  const isFiltered = search.q !== undefined || search.filter !== undefined;
  const isInvalidQuery = error instanceof ApiError && error.status === 400;
  const shownData = error && isInvalidQuery ? undefined : data;
  return (
    <div>
      <div className="@container gap-3 max-sm:grid max-sm:grid-cols-2 sm:flex sm:flex-wrap">
        <SearchBox
          label={props.searchLabel}
          value={search.q}
          onChange={(q) => changeSearch({ q })}
          inputRef={searchBox}
        />
        {filter && (
          <OptionalSelect
            label={filter.label}
            value={search.filter}
            none={filter.all}
            options={filter.options}
            onChange={(value) => changeSearch({ filter: value })}
            className={hasHeadings ? '' : 'max-sm:col-span-2'}
          />
        )}
        {sorts && (
          <OptionalSelect
            label="Sort by"
            value={search.sort}
            none={sorts[0]!.label}
            options={sorts.slice(1)}
            onChange={(sort) => changeSearch({ sort })}
            className={hasHeadings ? 'md:hidden' : 'max-sm:col-span-2'}
          />
        )}
        {props.columns && <ColumnChoice columns={props.columns} search={search} onSearch={onSearch} />}
        {props.downloads && shownData && shownData.rows.length > 0 && (
          <div className="flex gap-2 max-sm:col-span-2 max-sm:*:flex-1">
            <DownloadButtons {...props.downloads} />
          </div>
        )}
        {props.tools}
      </div>
      <p ref={topRef} role="status" tabIndex={-1} className="mt-3 text-sm text-muted outline-none">
        {shownData ? rowRangeText(shownData, nouns) : error ? '' : `Loading ${many}...`}
      </p>
      {isInvalidQuery && (
        <EmptyState
          icon={<SearchX aria-hidden className="size-7" />}
          title="Change the search"
          action={
            <Button look="secondary" onClick={resetSearch}>
              Show all {many}
            </Button>
          }
        >
          {errorText(error)}
        </EmptyState>
      )}
      {error && !isInvalidQuery && !data && (
        <LoadErrorNotice
          title={props.notLoaded ?? `We couldn’t load the ${many}`}
          error={error}
          onRetry={refetch}
          className="mt-3"
        />
      )}
      {error && !isInvalidQuery && data && (
        <Notice tone="warn" title="This list may be out of date" className="mt-3">
          {errorText(error)}
        </Notice>
      )}
      {!data && !error && (
        <div aria-hidden className="mt-3">
          {props.skeleton}
        </div>
      )}
      {shownData && shownData.rows.length > 0 && (
        <div aria-busy={isPlaceholderData} className={joinClassNames('mt-3', isPlaceholderData && 'opacity-60')}>
          {children(shownData.rows)}
        </div>
      )}
      {shownData?.rows.length === 0 &&
        (search.after !== undefined ? (
          <EmptyState
            icon={<ListX aria-hidden className="size-7" />}
            title="This page is empty now"
            action={
              <Button look="secondary" onClick={() => showPageAfter(undefined)}>
                First page
              </Button>
            }
          >
            Its entries moved to another page.
          </EmptyState>
        ) : isFiltered ? (
          <EmptyState
            icon={<SearchX aria-hidden className="size-7" />}
            title={`No ${nouns[0]} matches`}
            action={
              <Button look="secondary" onClick={resetSearch}>
                Show all {many}
              </Button>
            }
          >
            {search.q === undefined
              ? 'Nothing matches this filter right now.'
              : 'Try fewer words or a different filter.'}
          </EmptyState>
        ) : (
          <EmptyState icon={<empty.icon aria-hidden className="size-7" />} title={empty.title}>
            {empty.words}
          </EmptyState>
        ))}
      {shownData && (shownData.previous !== null || shownData.next !== null) && (
        <nav aria-label={`Pages of ${many}`} className="mt-4 flex flex-wrap items-center justify-center gap-2">
          <PageButton
            words="First page"
            icon={ChevronsLeft}
            to={shownData.previous && ''}
            onTurn={() => showPageAfter(undefined)}
          />
          <PageButton words="Previous" icon={ArrowLeft} to={shownData.previous} onTurn={showPageAfter} />
          <PageButton words="Next" icon={ArrowRight} to={shownData.next} onTurn={showPageAfter} />
        </nav>
      )}
    </div>
  );
}

function PageButton(props: { words: string; icon: LucideIcon; to: string | null; onTurn: (after: string) => void }) {
  const { words, icon: Icon, to, onTurn } = props;
  return (
    <Button look="secondary" size="small" disabled={to === null} onClick={() => to !== null && onTurn(to)}>
      <Icon aria-hidden className="size-4.5" />
      {words}
    </Button>
  );
}
