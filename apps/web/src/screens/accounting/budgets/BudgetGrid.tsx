import type { Budget } from '@evenkeel/contract/budgets';
import { startOfMonth } from '@evenkeel/core/dates';
import { toDollars } from '@evenkeel/core/money';
import {
  type ClipboardEvent,
  type KeyboardEvent,
  memo,
  type PointerEvent,
  type ReactNode,
  useRef,
  useState,
} from 'react';
import { flushSync } from 'react-dom';
import { isKey } from '../../../ui/keys/keys.ts';
import { useToday } from '../../../ui/hooks/today.tsx';
import {
  type Change,
  clearRange,
  edgesOf,
  type Edits,
  fillRange,
  type GridRow,
  gridRows,
  isIn,
  isUnsaved,
  monthHead,
  pasteInto,
  type Pasted,
  type Place,
  type Range,
  rangeText,
  readCell,
  setCell,
  wholeText,
} from './budgetGrid.ts';

export interface BudgetGridProps {
  budget: Budget;
  edits: Edits;
  /** Whether the user can change the budget. */
  canEdit: boolean;
  range: Range;
  onRange: (range: Range) => void;
  onChange: (changes: readonly Change[]) => void;
  onPaste: (pasted: Pasted) => void;
  onUndo: () => void;
}

/** The text of the cell that is being edited. */
interface Typing {
  place: Place;
  text: string;
  isWrong: boolean;
}

/** In a grid, unlike in a table, the keyboard moves between cells. */
const GRID_ROLE = { role: 'grid', 'aria-multiselectable': true } as const;

/**
 * The budget of a year as a grid that works like a spreadsheet: arrow keys, ranges with Shift, paste, fill, formulas,
 * and typing in the year column.
 */
export function BudgetGrid(props: BudgetGridProps) {
  const { budget, edits, canEdit, range, onRange } = props;
  const grid = useRef<HTMLTableElement>(null);
  const typing = useTyping(props, grid);
  const { onKeyDown, onPaste, onCopy } = useGridEvents(props, grid, typing);
  const select = usePointer(range, onRange);
  const month = startOfMonth(useToday());
  return (
    <div className="bg-scroll">
      <table
        ref={grid}
        className="bg-grid ek-num"
        {...GRID_ROLE}
        aria-label={`${budget.name} Budget`}
        aria-readonly={!canEdit}
        onKeyDown={onKeyDown}
        onPaste={onPaste}
        onCopy={onCopy}
        {...select}
      >
        <thead>
          <tr>
            <th scope="col">Account</th>
            {budget.months.map((each) => (
              <th key={each} scope="col" data-now={each === month ? '' : undefined}>
                {monthHead(each)}
              </th>
            ))}
            <th scope="col">{budget.name}</th>
          </tr>
        </thead>
        <tbody>
          {gridRows(budget, edits).map((row) =>
            row.kind === 'account' ? (
              <AccountRow
                key={row.row.accountId}
                row={row}
                marks={budget.months.map((_, at) => (isUnsaved(budget, edits, row.row, at) ? '1' : '0')).join('')}
                selected={selectedIn(range, row.index, budget.months.length)}
                active={range.head.row === row.index ? range.head.column : undefined}
                input={typing.at?.place.row === row.index ? typing.input() : undefined}
                monthNames={[...budget.months.map(monthHead), budget.name].join('|')}
              />
            ) : (
              <SumRow key={row.title} row={row} names={[...budget.months, budget.name]} />
            ),
          )}
        </tbody>
      </table>
    </div>
  );
}

/** Returns the selected columns of a row as text, so that an unchanged row isn't rendered again. */
function selectedIn(range: Range, row: number, columns: number): string {
  const { top, bottom, left, right } = edgesOf(range);
  if (row < top || row > bottom) return '';
  return Array.from({ length: columns + 1 }, (_, column) => (column >= left && column <= right ? '1' : '0')).join('');
}

interface AccountRowProps {
  row: Extract<GridRow, { kind: 'account' }>;
  /** A `1` for each unsaved month, and a `0` for each other month. */
  marks: string;
  /** A `1` for each selected column and a `0` for each other column, or '' if the row isn't selected. */
  selected: string;
  /** The column of the active cell, if it is in this row. */
  active: number | undefined;
  /** The field in place of the active cell's amount. */
  input: ReactNode;
  monthNames: string;
}

const AccountRow = memo(
  function AccountRow({ row, marks, selected, active, input, monthNames }: AccountRowProps) {
    const { row: account, index, amounts, total } = row;
    const names = monthNames.split('|');
    return (
      <tr data-total={account.isTotal ? '' : undefined}>
        <th scope="row" title={account.label}>
          {account.label}
        </th>
        {[...amounts, total].map((amount, column) => (
          <td
            key={names[column]}
            tabIndex={active === column ? 0 : -1}
            data-cell={`${index} ${column}`}
            data-year={column === amounts.length ? '' : undefined}
            data-unsaved={marks[column] === '1' ? '' : undefined}
            data-active={active === column ? '' : undefined}
            aria-selected={selected[column] === '1'}
            title={account.isTotal ? 'The total of all profit centers' : undefined}
          >
            {active === column && input !== undefined ? input : amount === null ? '' : wholeText(amount)}
          </td>
        ))}
      </tr>
    );
  },
  (before, after) =>
    before.marks === after.marks &&
    before.selected === after.selected &&
    before.active === after.active &&
    before.input === undefined &&
    after.input === undefined &&
    before.monthNames === after.monthNames &&
    before.row.row === after.row.row &&
    before.row.index === after.row.index &&
    before.row.amounts.join() === after.row.amounts.join(),
);

function SumRow({ row, names }: { row: Exclude<GridRow, { kind: 'account' }>; names: readonly string[] }) {
  if (row.kind === 'section') {
    return (
      <tr data-look="section">
        <th scope="rowgroup">{row.title}</th>
        <td colSpan={names.length} />
      </tr>
    );
  }
  return (
    <tr data-look="total">
      <th scope="row">{row.title}</th>
      {[...row.amounts, row.total].map((amount, at) => (
        <td key={names[at]} data-year={at === row.amounts.length ? '' : undefined}>
          {wholeText(amount)}
        </td>
      ))}
    </tr>
  );
}

const cellIn = (grid: HTMLElement | null, { row, column }: Place): HTMLElement | null =>
  grid?.querySelector<HTMLElement>(`[data-cell="${row} ${column}"]`) ?? null;

type Move = 'stay' | 'down' | 'right' | 'left';

/** The field in the active cell, which appears when the user types. */
function useTyping({ budget, edits, canEdit, range, onRange, onChange }: BudgetGridProps, grid: GridRef) {
  const [at, setAt] = useState<Typing>();
  const isOpenRow = (place: Place) => budget.rows[place.row]?.isTotal === false;
  const focusOn = (place: Place) => {
    flushSync(() => {
      setAt(undefined);
      onRange({ anchor: place, head: place });
    });
    cellIn(grid.current, place)?.focus();
  };
  const finish = (move: Move): boolean => {
    if (at === undefined) return true;
    const amount = readCell(at.text);
    if (amount === undefined) {
      setAt({ ...at, isWrong: true });
      return false;
    }
    onChange(setCell(budget, at.place, amount));
    if (move === 'stay') setAt(undefined);
    else focusOn(moved(at.place, move, budget));
    return true;
  };
  return {
    at,
    focusOn,
    start: (text: string | undefined) => {
      const place = range.head;
      if (!canEdit || !isOpenRow(place)) return;
      const row = gridRows(budget, edits).find((each) => each.kind === 'account' && each.index === place.row);
      const amounts = row?.kind === 'account' ? [...row.amounts, row.total] : [];
      const now = amounts[place.column] ?? null;
      flushSync(() => setAt({ place, text: text ?? (now === null ? '' : String(toDollars(now))), isWrong: false }));
      const field = cellIn(grid.current, place)?.querySelector('input');
      field?.focus();
      field?.setSelectionRange(text === undefined ? 0 : field.value.length, field.value.length);
    },
    input: () => {
      if (at === undefined) return undefined;
      const { text, isWrong, place } = at;
      const account = budget.rows[place.row]?.label ?? '';
      const column = monthHead(budget.months[place.column]) || budget.name;
      return (
        <input
          className="bg-input"
          aria-label={`${account}, ${column}`}
          aria-invalid={isWrong}
          title={isWrong ? 'Please enter an amount' : undefined}
          inputMode="decimal"
          autoComplete="off"
          spellCheck={false}
          value={text}
          onChange={(event) => setAt({ ...at, text: event.currentTarget.value, isWrong: false })}
          onBlur={() => finish('stay')}
          onKeyDown={(event) => {
            event.stopPropagation();
            if (isKey(event, 'close')) {
              event.preventDefault();
              focusOn(place);
            } else if (isKey(event, 'open') || isKey(event, 'down')) {
              event.preventDefault();
              finish('down');
            } else if (isKey(event, 'nextField')) {
              event.preventDefault();
              finish(event.shiftKey ? 'left' : 'right');
            } else if (isKey(event, 'saveAll')) {
              // The screen saves after the field's amount has been applied.
              event.preventDefault();
              if (finish('stay')) cellIn(grid.current, place)?.focus();
            }
          }}
        />
      );
    },
  };
}

type GridRef = { readonly current: HTMLTableElement | null };

function moved({ row, column }: Place, move: Move, { rows, months }: Budget): Place {
  if (move === 'down') return { row: Math.min(row + 1, rows.length - 1), column };
  if (move === 'right') return { row, column: Math.min(column + 1, months.length) };
  return { row, column: Math.max(column - 1, 0) };
}

const STEPS = { up: [-1, 0], down: [1, 0], previous: [0, -1], next: [0, 1] } as const;
const STEP_KEYS = ['up', 'down', 'previous', 'next'] as const;

/** Handles the keys and the clipboard of the grid. */
function useGridEvents(props: BudgetGridProps, grid: GridRef, typing: ReturnType<typeof useTyping>) {
  const { budget, edits, canEdit, range, onRange, onChange } = props;
  const goTo = (place: Place, isExtending: boolean) => {
    const next = {
      row: Math.max(0, Math.min(place.row, budget.rows.length - 1)),
      column: Math.max(0, Math.min(place.column, budget.months.length)),
    };
    flushSync(() => onRange({ anchor: isExtending ? range.anchor : next, head: next }));
    cellIn(grid.current, next)?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const { head } = range;
    const step = STEP_KEYS.find((name) => isKey(event, name));
    const done = (act: () => void) => {
      event.preventDefault();
      act();
    };
    if (step !== undefined) {
      const [down, right] = STEPS[step];
      return done(() => goTo({ row: head.row + down, column: head.column + right }, event.shiftKey));
    }
    if (isKey(event, 'first')) return done(() => goTo({ ...head, column: 0 }, event.shiftKey));
    if (isKey(event, 'last')) return done(() => goTo({ ...head, column: budget.months.length }, event.shiftKey));
    if (isKey(event, 'close')) return done(() => goTo(head, false));
    if (!canEdit) return undefined;
    if (isKey(event, 'undo')) return done(props.onUndo);
    if (isKey(event, 'fillDown')) return done(() => onChange(fillRange(budget, edits, range)));
    if (isKey(event, 'empty')) return done(() => onChange(clearRange(budget, range)));
    if (isKey(event, 'edit') || isKey(event, 'open')) return done(() => typing.start(undefined));
    const isTyped = event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey;
    if (isTyped && /[\d=.$(−-]/.test(event.key)) return done(() => typing.start(event.key));
    return undefined;
  };
  return {
    onKeyDown,
    onCopy: (event: ClipboardEvent) => {
      if (event.target instanceof HTMLInputElement) return;
      event.preventDefault();
      event.clipboardData.setData('text/plain', rangeText(budget, edits, range));
    },
    onPaste: (event: ClipboardEvent) => {
      if (!canEdit || event.target instanceof HTMLInputElement) return;
      event.preventDefault();
      props.onPaste(pasteInto(budget, range, event.clipboardData.getData('text/plain')));
    },
  };
}

const placeOf = (target: EventTarget | null): Place | undefined => {
  const cell = target instanceof Element ? target.closest<HTMLElement>('[data-cell]') : null;
  const [row, column] = cell?.dataset['cell']?.split(' ').map(Number) ?? [];
  return row === undefined || column === undefined ? undefined : { row, column };
};

/** Selects the clicked cell, or a range if the user drags the pointer or holds Shift. */
function usePointer(range: Range, onRange: (range: Range) => void) {
  const from = useRef<Place>(undefined);
  return {
    onPointerDown: (event: PointerEvent) => {
      const place = placeOf(event.target);
      if (place === undefined || event.button !== 0 || event.target instanceof HTMLInputElement) return;
      from.current = event.shiftKey ? range.anchor : place;
      onRange({ anchor: from.current, head: place });
    },
    onPointerOver: (event: PointerEvent) => {
      const place = placeOf(event.target);
      if (place === undefined || from.current === undefined || event.buttons !== 1 || isOnly(range, place)) return;
      onRange({ anchor: from.current, head: place });
    },
    onPointerUp: () => {
      from.current = undefined;
    },
  };
}

const isOnly = (range: Range, place: Place): boolean =>
  isIn({ anchor: range.head, head: range.head }, place) && range.head.row === place.row;
