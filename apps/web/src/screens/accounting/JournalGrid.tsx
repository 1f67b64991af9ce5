import { Button } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import {
  type ClipboardEvent,
  type KeyboardEvent,
  memo,
  type ReactNode,
  type RefObject,
  useEffect,
  useRef,
} from 'react';
import { flushSync } from 'react-dom';
import { FieldError } from '../../ui/fields/field.tsx';
import { MoneyField } from '../../ui/fields/MoneyField.tsx';
import { Picker } from '../../ui/fields/Picker.tsx';
import { TextField } from '../../ui/fields/TextField.tsx';
import { useStable } from '../../ui/hooks/stable.ts';
import { type LineHead, LinesTable } from '../../ui/lines/LinesTable.tsx';
import { type DrawnLines, useDrawnLines } from '../../ui/lines/useDrawnLines.ts';
import { Amount } from '../../ui/show/Amount.tsx';
import { ICON_SMALL } from '../../ui/show/icons.ts';
import { Level } from '../../ui/show/Level.tsx';
import { placeFields } from './JournalLineFields.tsx';
import { type FormLine, isBlank, type LineProblems, othersOf, totalsOf } from './journalForm.ts';
import type { Journal } from './useJournal.ts';
import { isKey } from '../../ui/keys/keys.ts';

/** The height of a line in px. */
const ROW = 37;
const NO_PROBLEMS: LineProblems = {};

/** The lines of an entry as a grid of fields. Tab moves between cells, and rows from a spreadsheet can be pasted. */
export function JournalGrid({ journal }: { journal: Journal }) {
  const { form, choices, problems, refusals } = journal;
  const { lines, at } = form.values;
  const others = othersOf(form.values);
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (refusals > 0) place.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [refusals]);
  const drawn = useDrawnLines(place, {
    count: lines.length,
    height: ROW,
    kept: lines.findIndex((line) => line.key === at),
  });
  const { dimensions } = choices;
  const columns = columnsOf(choices.dimensions);
  const act: Acts = {
    patch: useStable(journal.patchAt),
    amount: useStable(journal.amountAt),
    remove: useStable((key: number) => {
      const index = lines.findIndex((line) => line.key === key);
      flushSync(() => journal.remove(key));
      const rows = rowsOf(place.current);
      focusCell(rows[index] ?? rows.at(-1), 'account');
    }),
  };
  const onKeyDown = useGridKeys(journal, place);
  const onPaste = (event: ClipboardEvent<HTMLElement>) => {
    const key = keyAt(event.target);
    const text = event.clipboardData.getData('text/plain');
    if (key === undefined || !flushSync(() => journal.paste(key, text))) return;
    event.preventDefault();
    focusCell(rowsOf(place.current).at(-1), 'account');
  };
  const draw = (line: FormLine, index: number) => (
    <Row
      {...{ line, index, choices, drawn }}
      {...act}
      problems={line.key === at ? problems : NO_PROBLEMS}
      // In an empty entry, the first account field has the focus.
      takesFocus={index === 0 && others.length === 1}
    />
  );
  return (
    <div role="group" aria-label="Entry" onKeyDown={onKeyDown} onPaste={onPaste}>
      <LinesTable
        label="Lines"
        className="ek-lines ek-heads ek-cells ac-grid"
        {...{ columns, lines, drawn, place, draw }}
        keyOf={(line) => line.key}
        foot={<Totals lines={lines} span={columns.length - 4} />}
      />
      <div className="ac-grid-below">
        <Button
          variant="subtle"
          className="ek-btn-link"
          leftSection={<IconPlus {...ICON_SMALL} />}
          onClick={() => {
            journal.add();
            // A balancing line stays below the new line.
            focusCell(rowsOf(place.current).at(form.values.balancing === undefined ? -1 : -2), 'account');
          }}
        >
          Add line
        </Button>
        <p className="ek-muted ek-small">
          You can paste rows from a spreadsheet into any cell: account, description
          {dimensions.profitCenters !== undefined && ', profit center'}
          {dimensions.locations !== undefined && ', location'}, debit, credit.
        </p>
      </div>
    </div>
  );
}

type Choices = Journal['choices'];

function columnsOf({ profitCenters, locations }: Choices['dimensions']): LineHead[] {
  return [
    { id: 'number', header: '#' },
    { id: 'account', header: 'GL Account' },
    { id: 'description', header: 'Description' },
    ...(profitCenters === undefined ? [] : [{ id: 'profit center', header: 'Profit Center' }]),
    ...(locations === undefined ? [] : [{ id: 'location', header: 'Location' }]),
    { id: 'debit', header: 'Debit', right: true },
    { id: 'credit', header: 'Credit', right: true },
    { id: 'remove', header: 'Remove', isHeaderHidden: true },
  ];
}

/** The totals and the difference, which are always visible, even in a long entry. */
function Totals({ lines, span }: { lines: readonly FormLine[]; span: number }) {
  const totals = totalsOf(lines);
  const isEmpty = totals.debit === 0 && totals.credit === 0;
  return (
    <>
      <td />
      <td colSpan={span}>
        {isEmpty && 'Total'}
        {!isEmpty && totals.heavier === undefined && <Level />}
        {totals.heavier !== undefined && (
          <span className="ac-balance">
            <Level heavier={totals.heavier}>Out of balance by</Level>
            <Amount value={totals.out} />
          </span>
        )}
      </td>
      <td data-right="">
        <Amount value={totals.debit} />
      </td>
      <td data-right="">
        <Amount value={totals.credit} />
      </td>
      <td />
    </>
  );
}

interface Acts {
  patch: (key: number, patch: Partial<FormLine>) => void;
  amount: (line: FormLine, debit: boolean, amount: FormLine['amount']) => void;
  remove: (key: number) => void;
}

interface RowProps extends Acts {
  line: FormLine;
  index: number;
  choices: Choices;
  problems: LineProblems;
  drawn: DrawnLines;
  takesFocus: boolean;
}

/** A row of fields. Memoized, so that typing in one row doesn't render the others again. */
const Row = memo(
  function Row(props: RowProps) {
    const { line, index, choices, problems, drawn, amount } = props;
    const { key } = line;
    const set = (patch: Partial<FormLine>) => props.patch(key, patch);
    const named = (label: string, error?: string) => ({ label: `${label}, line ${index + 1}`, inRow: true, error });
    // The walkthrough points to the fields of the first line.
    const id = (name: string) => (index === 0 ? `journal-${name}` : undefined);
    const side = (debit: boolean) => (
      <MoneyField
        {...named(debit ? 'Debit' : 'Credit', debit ? (problems.amount ?? problems.debit) : undefined)}
        value={line.debit === debit ? line.amount : null}
        onChange={(value) => amount(line, debit, value)}
      />
    );
    return (
      <tbody ref={drawn.measure} data-index={index}>
        <tr data-line={key} aria-rowindex={drawn.isPart ? index + 2 : undefined}>
          <td className="ek-muted ek-num">{index + 1}</td>
          <Cell name="account">
            <Picker
              {...named('GL Account', problems.accountId)}
              id={id('account')}
              options={choices.accounts}
              isLoading={choices.isLoading}
              placeholder="Account"
              value={line.accountId}
              onChange={(accountId) => set({ accountId })}
              autoFocus={props.takesFocus}
            />
          </Cell>
          <Cell name="description">
            <TextField
              {...named('Description', problems.description)}
              id={id('description')}
              value={line.description}
              onChange={(description) => set({ description })}
              maxLength={500}
            />
          </Cell>
          {placeFields({ line, problems, dimensions: choices.dimensions, onPatch: set }).map(({ name, ...field }) => (
            <Cell key={name} name={name.replace('-', ' ')}>
              <Picker {...field} {...named(field.label, field.error)} id={id(name)} placeholder={field.label} />
            </Cell>
          ))}
          <Cell name="debit">{side(true)}</Cell>
          <Cell name="credit">{side(false)}</Cell>
          <td data-right="">
            <button
              type="button"
              className="ek-icon-btn"
              aria-label={`Remove line ${index + 1}`}
              onClick={() => props.remove(key)}
            >
              <IconX {...ICON_SMALL} />
            </button>
          </td>
        </tr>
        {line.told !== undefined && (
          <tr className="ac-told">
            <td colSpan={columnsOf(choices.dimensions).length}>
              <div role="alert">
                <FieldError message={`Line ${index + 1}: ${line.told}`} />
              </div>
            </td>
          </tr>
        )}
      </tbody>
    );
  },
  (before, after) =>
    before.line === after.line &&
    before.index === after.index &&
    before.choices.accounts === after.choices.accounts &&
    before.choices.dimensions === after.choices.dimensions &&
    before.problems === after.problems &&
    before.drawn.measure === after.drawn.measure,
);

function Cell({ name, children }: { name: string; children: ReactNode }) {
  return <td data-cell={name}>{children}</td>;
}

/** Returns the key of the line that contains an event's target. */
function keyAt(target: EventTarget): number | undefined {
  const line = target instanceof Element ? target.closest<HTMLElement>('[data-line]') : null;
  return line === null ? undefined : Number(line.dataset['line']);
}

const rowsOf = (place: Element | null): Element[] => [...(place?.querySelectorAll('[data-line]') ?? [])];

function focusCell(row: Element | undefined, cell: string): void {
  row?.querySelector<HTMLElement>(`[data-cell="${cell}"] input`)?.focus();
}

/** The cell where a key was pressed, and the line that contains the cell. */
interface Pressed {
  input: HTMLInputElement;
  row: Element;
  cell: string;
  key: number;
}

function pressedIn(target: EventTarget): Pressed | undefined {
  if (!(target instanceof HTMLInputElement)) return undefined;
  const row = target.closest('[data-line]');
  const cell = target.closest<HTMLElement>('[data-cell]')?.dataset['cell'];
  const key = keyAt(target);
  return row === null || cell === undefined || key === undefined ? undefined : { input: target, row, cell, key };
}

const MOVES = ['open', 'down', 'up'] as const;

/**
 * Handles the grid's keys. Tab moves through the cells and on to the next line. After the last line, Tab adds a line
 * unless that line is empty. Enter and the arrow keys move up and down within a column. `=` in an amount field enters
 * the amount that balances the entry.
 */
function useGridKeys(journal: Journal, place: RefObject<HTMLDivElement | null>) {
  return (event: KeyboardEvent<HTMLElement>) => {
    const pressed = pressedIn(event.target);
    if (pressed === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    const { input, row, cell, key } = pressed;
    if (isKey(event, 'level') && input.value === '' && (cell === 'debit' || cell === 'credit')) {
      event.preventDefault();
      return journal.level(key);
    }
    const isTab = isKey(event, 'nextField') && !event.shiftKey && cell === 'credit';
    const isMove = MOVES.some((name) => isKey(event, name)) && input.getAttribute('role') !== 'combobox';
    if (!isTab && !isMove) return;
    const last = othersOf(journal.form.values).at(-1);
    const isDown = !isKey(event, 'up');
    if (isDown && !isKey(event, 'down') && last?.key === key && !isBlank(last)) journal.add();
    const rows = rowsOf(place.current);
    const next = rows[rows.indexOf(row) + (isDown ? 1 : -1)];
    if (next === undefined) return;
    event.preventDefault();
    focusCell(next, isTab ? 'account' : cell);
  };
}
