import { IconX } from '@tabler/icons-react';
import { type ClipboardEvent, type KeyboardEvent, useRef, useState } from 'react';
import { NewEntity } from '../../parts/documents/entry/NewEntity.tsx';
import { BILLED_CUSTOMERS, PAID_VENDORS } from '../../parts/documents/sideEntities.ts';
import { FieldError } from '../../ui/fields/field.tsx';
import { isKey } from '../../ui/keys/keys.ts';
import { LinesTable } from '../../ui/lines/LinesTable.tsx';
import { useDrawnLines } from '../../ui/lines/useDrawnLines.ts';
import { Amount } from '../../ui/show/Amount.tsx';
import { ICON_SMALL } from '../../ui/show/icons.ts';
import { isTable } from '../../ui/table/pasted.ts';
import { counted } from '../../ui/show/words.ts';
import { sum, ZERO } from '@evenkeel/core/money';
import { type Grid, isEmptyRow, type OpenRow, rowsOf } from './openingForm.ts';
import { cellsOfGrid } from './openingPaste.ts';
import { fieldsOf } from './RowFields.tsx';
import type { Opening } from './useOpening.ts';

/** The height of a row in px. */
const ROW = 35;

const WORDS: Readonly<Record<Grid, { one: string; many: string }>> = {
  invoices: { one: 'invoice', many: 'invoices' },
  bills: { one: 'bill', many: 'bills' },
  credits: { one: 'credit', many: 'credits' },
};

interface GridProps {
  opening: Opening;
  grid: Grid;
}

/** The open documents of a kind as a grid of fields, with an empty row at the end. */
export function DocumentGrid({ opening, grid }: GridProps) {
  const place = useRef<HTMLDivElement>(null);
  const all = opening.form[grid];
  const rows = opening.isLocked ? all.filter((row) => !isEmptyRow(row)) : all;
  const drawn = useDrawnLines(place, { count: rows.length, height: ROW });
  const fields = fieldsOf(grid, cellsOfGrid(grid));
  const columns = [
    ...fields.map(({ cell: id, header, right, width }) => ({
      id,
      header,
      ...(right && { right }),
      ...(width && { width }),
    })),
    { id: 'remove', header: 'Remove', isHeaderHidden: true, width: 34 },
  ];
  const filled = rowsOf(opening.form, grid);
  const onPaste = (event: ClipboardEvent<HTMLElement>) => {
    const at = cellAt(event.target);
    const text = event.clipboardData.getData('text/plain');
    if (opening.isLocked || at === undefined || !(isTable(text) || /[\r\n]./.test(text))) return;
    event.preventDefault();
    opening.paste(grid, { ...at, text });
  };
  const draw = (row: OpenRow, index: number) => (
    <Row key={row.key} {...{ opening, grid, row, index, fields }} measure={drawn.measure} />
  );
  return (
    <div
      className="ob-grid"
      role="group"
      aria-label="Open documents"
      onKeyDown={(event) => onGridKey(event, opening, grid)}
      onPaste={onPaste}
    >
      <LinesTable
        label="Documents"
        className="ek-lines ek-heads ek-cells ob-table"
        columns={columns}
        lines={rows}
        drawn={drawn}
        place={place}
        keyOf={(row) => row.key}
        draw={draw}
        foot={
          <>
            <td colSpan={fields.length - 1}>{counted(filled.length, WORDS[grid])}</td>
            <td data-right="">
              <Amount value={sum(filled.map(({ unpaid }) => unpaid ?? ZERO))} />
            </td>
            <td />
          </>
        }
      />
    </div>
  );
}

interface RowProps extends GridProps {
  row: OpenRow;
  index: number;
  fields: ReturnType<typeof fieldsOf>;
  measure: ((element: Element | null) => void) | undefined;
}

function Row({ opening, grid, row, index, fields, measure }: RowProps) {
  const { told, ...messages } = opening.messagesOf(grid, row);
  const isUsed = (row.posted?.usedBy.length ?? 0) > 0;
  const words = told ?? Object.values(messages)[0];
  return (
    <tbody ref={measure} data-index={index}>
      <tr data-line={row.key}>
        {fields.map(({ cell, draw }) => (
          <td key={cell} data-cell={cell}>
            {draw({ opening, grid, row, place: index + 1 })}
          </td>
        ))}
        <td data-right="">
          {!opening.isLocked && !isEmptyRow(row) && (
            <button
              type="button"
              className="ek-icon-btn"
              aria-label={`Remove row ${index + 1}`}
              disabled={isUsed}
              title={isUsed ? `Used by ${row.posted?.usedBy.join(', ') ?? ''}` : undefined}
              onClick={() => opening.removeRow(grid, row.key)}
            >
              <IconX {...ICON_SMALL} />
            </button>
          )}
        </td>
      </tr>
      {words !== undefined && <Told {...{ opening, grid, row, words }} span={fields.length + 1} />}
    </tbody>
  );
}

/** A message below its row, with two options for an unknown name. */
function Told({ opening, grid, row, words, span }: GridProps & { row: OpenRow; words: string; span: number }) {
  const isUnknown = row.entityId === null && row.name !== '';
  const word = row.isVendor ? 'Vendor' : 'Customer';
  const [isCreating, setCreating] = useState(false);
  return (
    <tr className="ob-told">
      <td colSpan={span}>
        {isCreating && (
          <NewEntity
            entities={row.isVendor ? PAID_VENDORS : BILLED_CUSTOMERS}
            name={row.name}
            onClose={() => setCreating(false)}
            onCreated={({ id }) => opening.takeParty(grid, row, id)}
          />
        )}
        <div className="ob-told-row" role="alert">
          <FieldError message={words} />
          {isUnknown && !opening.isLocked && (
            <span className="ob-answers">
              <button type="button" className="ek-link" onClick={() => setCreating(true)}>
                {`Create ${word}`}
              </button>
              <button
                type="button"
                className="ek-link"
                onClick={(event) =>
                  event.currentTarget.closest('tbody')?.querySelector<HTMLElement>('[data-cell="party"] input')?.focus()
                }
              >
                Choose
              </button>
            </span>
          )}
        </div>
      </td>
    </tr>
  );
}

function cellAt(target: EventTarget): { key: number; cell: string } | undefined {
  if (!(target instanceof Element)) return undefined;
  const cell = target.closest<HTMLElement>('[data-cell]')?.dataset['cell'];
  const key = target.closest<HTMLElement>('[data-line]')?.dataset['line'];
  return cell === undefined || key === undefined ? undefined : { key: Number(key), cell };
}

/** Enter and the arrow keys move up and down in a column, and Ctrl+D copies the cell above. */
function onGridKey(event: KeyboardEvent<HTMLElement>, opening: Opening, grid: Grid): void {
  const at = cellAt(event.target);
  if (at === undefined) return;
  if (isKey(event, 'fillDown') && !opening.isLocked) {
    event.preventDefault();
    return opening.copyDown(grid, at);
  }
  const isList = event.target instanceof Element && event.target.getAttribute('role') === 'combobox';
  const isMove = isKey(event, 'open') || isKey(event, 'down') || isKey(event, 'up');
  if (!isMove || isList || event.defaultPrevented) return;
  const column = [...event.currentTarget.querySelectorAll<HTMLElement>(`[data-line] [data-cell="${at.cell}"]`)];
  const here = column.findIndex((cell) => cell.contains(document.activeElement));
  const next = column[here + (isKey(event, 'up') ? -1 : 1)];
  if (next === undefined) return;
  event.preventDefault();
  next.querySelector<HTMLElement>('input')?.focus();
}
