import type { ChargedDays, FinanceCharge } from '@evenkeel/contract/charges';
import { formatDate } from '@evenkeel/core/dates';
import { formatUsd } from '@evenkeel/core/money';
import { Button } from '@mantine/core';
import { useRef } from 'react';
import { useWide } from '../../../ui/hooks/media.ts';
import { LinesTable } from '../../../ui/lines/LinesTable.tsx';
import { type DrawnLines, useDrawnLines } from '../../../ui/lines/useDrawnLines.ts';
import { Amount } from '../../../ui/show/Amount.tsx';
import { counted } from '../../../ui/show/words.ts';
import { Box } from '../workItems/Candidates.tsx';

export interface ChargeRowsProps {
  all: readonly FinanceCharge[];
  /** The IDs of customers who are excluded from this run. */
  left: ReadonlySet<number>;
  onLeft: (left: ReadonlySet<number>) => void;
  leaveOut: (one: FinanceCharge) => void;
}

/** The customers to charge, each with a checkbox, the overdue amount, and the days charged. */
export function ChargeRows(props: ChargeRowsProps) {
  return useWide() ? <ChargeTable {...props} /> : <ChargeCards {...props} />;
}

function BoxOfAll({ all, left, onLeft, isNamed }: ChargeRowsProps & { isNamed: boolean }) {
  const count = all.filter(({ id }) => !left.has(id)).length;
  return (
    <Box
      label="Charge all customers"
      isNamed={isNamed}
      checked={count === all.length}
      ref={(box) => {
        if (box !== null) box.indeterminate = count > 0 && count < all.length;
      }}
      onChange={(event) => onLeft(new Set(event.currentTarget.checked ? [] : all.map(({ id }) => id)))}
    />
  );
}

function BoxOfOne({ one, left, onLeft }: Pick<ChargeRowsProps, 'left' | 'onLeft'> & { one: FinanceCharge }) {
  const changed = (isCharged: boolean) => {
    const others = new Set(left);
    if (isCharged) others.delete(one.id);
    else others.add(one.id);
    return others;
  };
  return (
    <Box
      label={`Charge ${one.customerDisplayName}`}
      checked={!left.has(one.id)}
      onChange={(event) => onLeft(changed(event.currentTarget.checked))}
    />
  );
}

const HEADS = [
  { id: 'customer', header: 'Customer' },
  { id: 'overdue', header: 'Overdue', right: true, width: 128 },
  { id: 'charge', header: 'Charge', right: true, width: 112 },
  { id: 'leave', header: 'Exclude', isHeaderHidden: true, width: 104 },
];
const ROW = 62;

function ChargeTable(props: ChargeRowsProps) {
  const { all } = props;
  const place = useRef<HTMLDivElement>(null);
  const drawn = useDrawnLines(place, { count: all.length, height: ROW });
  const draw = (one: FinanceCharge, index: number) => (
    <ChargeRow {...{ one, index }} measure={drawn.measure} {...props} />
  );
  return (
    <LinesTable
      label="Customers to charge"
      className="dc-apply ek-heads bl-process bl-charges"
      columns={[{ id: 'box', header: '', cell: <BoxOfAll {...props} isNamed={false} />, width: 36 }, ...HEADS]}
      lines={all}
      drawn={drawn}
      place={place}
      keyOf={({ id }) => id}
      draw={draw}
    />
  );
}

interface ChargeRowProps extends ChargeRowsProps {
  one: FinanceCharge;
  index: number;
  measure: DrawnLines['measure'];
}

function ChargeRow({ index, measure, ...props }: ChargeRowProps) {
  const { one, left } = props;
  return (
    <tbody data-index={index} ref={measure}>
      <tr data-out={left.has(one.id) ? '' : undefined}>
        <td>
          <BoxOfOne {...props} />
        </td>
        <td>
          {one.customerDisplayName}
          <Details one={one} />
        </td>
        <td data-right="">
          <Amount value={one.overdueAmount} />
        </td>
        <td data-right="">
          <Amount value={one.amount} />
        </td>
        <td data-right="">
          <LeaveOut {...props} />
        </td>
      </tr>
    </tbody>
  );
}

function LeaveOut({ one, leaveOut }: Pick<ChargeRowsProps, 'leaveOut'> & { one: FinanceCharge }) {
  return (
    <Button variant="subtle" size="xs" aria-label={`Exclude ${one.customerDisplayName}`} onClick={() => leaveOut(one)}>
      Exclude
    </Button>
  );
}

/**
 * The days and amounts charged for each invoice, the increase to the minimum charge, and the customer's unapplied
 * credits.
 */
function Details({ one: { lines, toMinimum, creditAmount } }: { one: FinanceCharge }) {
  return (
    <ul className="bl-charge-lines">
      {lines.map((line) => (
        <li key={`${line.invoiceId} ${line.from}`}>{wordsOf(line)}</li>
      ))}
      {toMinimum > 0 && <li>Increased to the minimum, {formatUsd(toMinimum)}</li>}
      {creditAmount > 0 && <li className="bl-charge-credit">{formatUsd(creditAmount)} in unapplied credits</li>}
    </ul>
  );
}

function wordsOf({ invoiceNumber, from, to, days, openAmount, amount }: ChargedDays): string {
  const span = from === to ? formatDate(from) : `${formatDate(from)} – ${formatDate(to)}`;
  const counts = counted(days, { one: 'day', many: 'days' });
  return `Invoice ${invoiceNumber}, ${span}, ${counts} of ${formatUsd(openAmount)}: ${formatUsd(amount)}`;
}

const CARD = 96;

function ChargeCards(props: ChargeRowsProps) {
  const { all, left, leaveOut } = props;
  const list = useRef<HTMLUListElement>(null);
  const drawn = useDrawnLines(list, { count: all.length, height: CARD });
  return (
    <>
      <BoxOfAll {...props} isNamed />
      <ul className="bl-process-cards" aria-label="Customers to charge" ref={list}>
        {drawn.lines.map(({ index, gap }) => {
          const one = all[index];
          return (
            one !== undefined && (
              <li key={one.id} data-index={index} ref={drawn.measure} style={gap > 0 ? { marginTop: gap } : {}}>
                <div className="bl-charge-card" data-out={left.has(one.id) ? '' : undefined}>
                  <BoxOfOne one={one} {...props} />
                  <div>
                    <span className="ek-list-title">{one.customerDisplayName}</span>
                    <Details one={one} />
                  </div>
                  <div>
                    <Amount value={one.amount} />
                    <LeaveOut one={one} leaveOut={leaveOut} />
                  </div>
                </div>
              </li>
            )
          );
        })}
        {drawn.after > 0 && <li aria-hidden="true" style={{ height: drawn.after }} />}
      </ul>
    </>
  );
}
