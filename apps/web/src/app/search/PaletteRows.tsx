import { Button } from '@mantine/core';
import { IconAlertTriangle, IconRefresh, IconSearch } from '@tabler/icons-react';
import { type MouseEvent, useEffect, useMemo } from 'react';
import { useNarrow } from '../../ui/hooks/media.ts';
import { keyed } from '../../ui/show/keyed.ts';
import { ICON, ICON_SMALL } from '../../ui/show/icons.ts';
import { Status } from '../../ui/show/Status.tsx';
import { counted } from '../../ui/show/words.ts';
import type { Group, Row } from './groups.ts';
import { type Marker, markerOf } from './marks.ts';
import type { PaletteState } from './usePalette.ts';

/** The maximum number of results that the server returns. */
const MOST_RESULTS = 50;

export const rowId = (listId: string, row: Row): string => `${listId}-${row.id.replace(/\W+/g, '-')}`;

interface PaletteRowsProps {
  palette: PaletteState;
  listId: string;
}

/** The result rows in groups, and their status: no results, failed, or loading. */
export function PaletteRows({ palette, listId }: PaletteRowsProps) {
  const { groups, search, active, books, isBusy, isNothing, error } = palette;
  const { today } = books;
  const mark = useMemo(() => markerOf(search, today), [search, today]);
  const activeId = active === undefined ? undefined : rowId(listId, active);
  useEffect(() => {
    if (activeId !== undefined) document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' });
  }, [activeId]);
  return (
    <div className="ek-pl-body" data-stale={isBusy ? '' : undefined}>
      {isNothing && <Nothing search={search} />}
      {groups.length > 0 && (
        <div role="listbox" id={listId} aria-label="Results">
          {keyed(groups, ({ title }) => title).map(({ key, item: group }) => (
            <Rows key={key} {...{ group, listId, palette, mark }} />
          ))}
        </div>
      )}
      {error !== undefined && <Failed message={error} onRetry={palette.retry} />}
    </div>
  );
}

/** A note that must not be truncated: a number, an amount, a date, or a schedule's next date. */
const FIGURE = /^(Next )?[^a-z]*\d[^a-z]*$/i;

const RESULTS = { one: 'record', many: 'records' };

/**
 * Returns a message with the number of records found, or a message that the search is running. Returns '' if the search
 * text is empty or nothing was found.
 */
export function saidOf({ isBusy, search, results, isNothing }: PaletteState): string {
  const count = results?.length ?? 0;
  if (isBusy) return 'Searching …';
  if (search === '' || isNothing || count === 0) return '';
  return count >= MOST_RESULTS ? `The first ${MOST_RESULTS}` : counted(count, RESULTS);
}

function Rows({ group, listId, palette, mark }: PaletteRowsProps & { group: Group; mark: Marker }) {
  const head = `${listId}-${group.title.replace(/\W+/g, '-')}`;
  return (
    <div role="group" aria-labelledby={head}>
      <div className="ek-pl-group">
        <span id={head}>{group.title}</span>
        {group.aside !== undefined && <span>{group.aside}</span>}
      </div>
      {group.rows.map((row) => (
        <Option key={row.id} row={row} id={rowId(listId, row)} palette={palette} mark={mark} />
      ))}
    </div>
  );
}

interface OptionProps {
  row: Row;
  id: string;
  palette: PaletteState;
  mark: Marker;
}

/**
 * Rows are selected with keys that are pressed in the text field above them, so clicking a row must not take the focus
 * from the field.
 */
function Option({ row, id, palette, mark }: OptionProps) {
  const { active, choose, setWanted } = palette;
  const isActive = active?.id === row.id;
  const isNarrow = useNarrow();
  const { icon: Icon, text, notes, status, amount, isClosest } = row;
  const click = (event: MouseEvent) => choose(row, event.ctrlKey || event.metaKey || event.button === 1);
  const marked = (words: string) => <Marked words={words} mark={mark} isClosest={isClosest} />;
  return (
    // The text field above has the focus and handles the keys.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
    <div
      role="option"
      id={id}
      aria-selected={isActive}
      className="ek-pl-row"
      onMouseDown={(event) => event.preventDefault()}
      onMouseMove={() => (isActive ? undefined : setWanted(row.id))}
      onClick={click}
      onAuxClick={(event) => (event.button === 1 ? click(event) : undefined)}
    >
      <Icon {...ICON} />
      <span className="ek-pl-words">
        <span className="ek-ellipsis" title={text}>
          {marked(text)}
        </span>
        {notes.length > 0 && (
          <span className="ek-pl-notes ek-num">
            {keyed(notes, (note) => note).map(({ key, item: note }, at) => (
              <span key={key} className={FIGURE.test(note) ? undefined : 'ek-ellipsis'}>
                {at > 0 && ' · '}
                {marked(note)}
              </span>
            ))}
            {isNarrow && status !== undefined && <span>{` · ${status.words}`}</span>}
          </span>
        )}
      </span>
      {!isNarrow && status !== undefined && <Status look={status.look}>{status.words}</Status>}
      {amount !== undefined && <span className="ek-pl-amount ek-num">{marked(amount)}</span>}
    </div>
  );
}

function Marked({ words, mark, isClosest }: { words: string; mark: Marker; isClosest: boolean | undefined }) {
  return mark(words, isClosest).map(({ text, isMarked, at }) => (isMarked ? <mark key={at}>{text}</mark> : text));
}

function Nothing({ search }: { search: string }) {
  return (
    <div className="ek-pl-none">
      <span className="ek-empty-icon">
        <IconSearch {...ICON} />
      </span>
      <p className="ek-semi">No results for “{search}”</p>
      <p className="ek-muted">Search covers the names, numbers, amounts, and dates that you have permission to view.</p>
    </div>
  );
}

function Failed({ message, onRetry }: { message: string; onRetry: () => void }) {
  return (
    <div className="ek-pl-none" role="alert">
      <span className="ek-empty-icon">
        <IconAlertTriangle {...ICON} />
      </span>
      <p className="ek-semi">Error! {message}</p>
      <Button variant="default" leftSection={<IconRefresh {...ICON_SMALL} />} onClick={onRetry}>
        Retry
      </Button>
    </div>
  );
}
