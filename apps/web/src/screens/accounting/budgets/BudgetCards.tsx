import type { Budget } from '@evenkeel/contract/budgets';
import { addMonths, formatMonth, MONTHS, partsOf, startOfMonth } from '@evenkeel/core/dates';
import { type Cents } from '@evenkeel/core/money';
import { ActionIcon } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useState } from 'react';
import { MoneyField } from '../../../ui/fields/MoneyField.tsx';
import { useToday } from '../../../ui/hooks/today.tsx';
import { AppModal } from '../../../ui/overlay/AppModal.tsx';
import { ICON } from '../../../ui/show/icons.ts';
import {
  amountAt,
  amountsOf,
  type Change,
  type Edits,
  type GridRow,
  gridRows,
  isUnsaved,
  setCell,
  wholeText,
} from './budgetGrid.ts';
import { budgetTotal } from '@evenkeel/core/books/budgets';

interface BudgetCardsProps {
  budget: Budget;
  edits: Edits;
  canEdit: boolean;
  onChange: (changes: readonly Change[]) => void;
}

/** The budget on a phone: one month at a time. Selecting an account opens its amounts in a sheet. */
export function BudgetCards({ budget, edits, canEdit, onChange }: BudgetCardsProps) {
  const today = startOfMonth(useToday());
  const [at, setAt] = useState(Math.max(0, budget.months.indexOf(today)));
  const [open, setOpen] = useState<number>();
  const month = budget.months[at];
  if (month === undefined) return null;
  const name = MONTHS[partsOf(month).month - 1] ?? '';
  const step = (by: number) => setAt(Math.max(0, Math.min(at + by, budget.months.length - 1)));
  return (
    <div className="bg-cards">
      <div className="bg-month" role="group" aria-label="Month">
        <ActionIcon aria-label="Previous month" disabled={at === 0} onClick={() => step(-1)}>
          <IconChevronLeft {...ICON} />
        </ActionIcon>
        <span className="ek-semi" aria-live="polite">{`${name} ${partsOf(month).year}`}</span>
        <ActionIcon aria-label="Next month" disabled={at === budget.months.length - 1} onClick={() => step(1)}>
          <IconChevronRight {...ICON} />
        </ActionIcon>
      </div>
      <ul aria-label={`${budget.name} Budget`}>
        {gridRows(budget, edits).map((row) =>
          row.kind === 'section' ? null : (
            <Card
              key={row.kind === 'account' ? row.row.accountId : row.title}
              row={row}
              at={at}
              month={name}
              year={budget.name}
              isUnsaved={row.kind === 'account' && isUnsaved(budget, edits, row.row, at)}
              onOpen={row.kind === 'account' ? () => setOpen(row.index) : undefined}
            />
          ),
        )}
      </ul>
      {open !== undefined && (
        <Sheet
          budget={budget}
          edits={edits}
          canEdit={canEdit}
          onChange={onChange}
          place={{ row: open, column: at }}
          onClose={() => setOpen(undefined)}
        />
      )}
    </div>
  );
}

interface CardProps {
  row: Exclude<GridRow, { kind: 'section' }>;
  at: number;
  month: string;
  year: string;
  isUnsaved: boolean;
  onOpen: (() => void) | undefined;
}

function Card({ row, at, month, year, isUnsaved: marked, onOpen }: CardProps) {
  const isTotal = row.kind === 'total';
  const body = (
    <>
      <span className={isTotal ? 'bg-card-name ek-semi' : 'bg-card-name'}>{isTotal ? row.title : row.row.label}</span>
      <span className={isTotal ? 'ek-num ek-semi' : 'ek-num'}>{wholeText(row.amounts[at] ?? null)}</span>
      <span className="ek-muted ek-small ek-num">{`${year}: ${wholeText(row.total)}`}</span>
      <span className="ek-muted ek-small">{month}</span>
    </>
  );
  return (
    <li data-total={isTotal ? '' : undefined} data-unsaved={marked ? '' : undefined}>
      {onOpen === undefined ? (
        <div className="bg-card">{body}</div>
      ) : (
        <button type="button" className="bg-card" onClick={onOpen}>
          {body}
        </button>
      )}
    </li>
  );
}

interface SheetProps extends BudgetCardsProps {
  place: { row: number; column: number };
  onClose: () => void;
}

/** The amounts of an account for a month and for the year. */
function Sheet({ budget, edits, canEdit, onChange, place, onClose }: SheetProps) {
  const row = budget.rows[place.row];
  const month = budget.months[place.column];
  const saved = row === undefined ? null : amountAt(budget, edits, row, place.column);
  const total = row === undefined ? null : budgetTotal(amountsOf(budget, edits, row));
  const [amount, setAmount] = useState<Cents | null>(saved);
  const [year, setYear] = useState<Cents | null>(total);
  if (row === undefined || month === undefined) return null;
  const isFixed = !canEdit || row.isTotal;
  const dirty = amount !== saved || year !== total;
  const done = () => {
    if (year !== total) onChange(setCell(budget, { row: place.row, column: budget.months.length }, year));
    else if (amount !== saved) onChange(setCell(budget, place, amount));
    onClose();
  };
  return (
    <AppModal
      opened
      title={row.label}
      onClose={onClose}
      dirty={dirty}
      enterSaves
      footer={{
        actions: [{ label: 'Cancel', quiet: true, onClick: onClose }],
        primary: { label: 'Done', onClick: isFixed ? onClose : done },
      }}
    >
      <div className="ek-stack">
        {row.isTotal && (
          <p className="ek-muted">This is the total of all profit centers. Select a profit center to change it.</p>
        )}
        <MoneyField
          label={formatMonth(month)}
          value={amount}
          onChange={setAmount}
          readOnly={isFixed || year !== total}
          hint={`Actual in ${formatMonth(addMonths(month, -12))}: ${wholeText(row.lastYear[place.column] ?? null)}`}
        />
        <MoneyField
          label={budget.name}
          value={year}
          onChange={setYear}
          readOnly={isFixed || amount !== saved}
          hint="A new amount for the year is spread over the months based on last year's amounts."
        />
      </div>
    </AppModal>
  );
}
