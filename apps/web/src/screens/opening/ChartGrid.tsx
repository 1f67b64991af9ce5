import type { ChartAccount } from '@evenkeel/contract/ledger';
import { type Cents, negate, ZERO } from '@evenkeel/core/money';
import { Fragment, type KeyboardEvent, memo, useState } from 'react';
import { groupOf } from '../../parts/ledger/chart.ts';
import { typeOf } from '../../parts/ledger/accountType.ts';
import { MoneyField } from '../../ui/fields/MoneyField.tsx';
import { isKey } from '../../ui/keys/keys.ts';
import { AppModal } from '../../ui/overlay/AppModal.tsx';
import { Amount } from '../../ui/show/Amount.tsx';
import { Level } from '../../ui/show/Level.tsx';
import { counted } from '../../ui/show/words.ts';
import { Heads } from '../../ui/table/Heads.tsx';
import { type Figures, isEntered, type OpenBalance, rowsOf } from './openingForm.ts';
import type { Opening } from './useOpening.ts';

interface ChartProps {
  opening: Opening;
  figures: Figures;
}

/** An account's row: its balance, or the total of its documents if it is a control account. */
interface ChartRow {
  account: ChartAccount;
  balance: OpenBalance;
  /** The documents that the balance comes from, such as "8 invoices". Undefined if the user enters the balance. */
  from?: string;
}

const EMPTY: OpenBalance = { debit: null, credit: null };

/** Returns the rows of the chart. Only the default control accounts have documents. */
function chartRows({ form, accounts }: Opening, figures: Figures): ChartRow[] {
  const shown = new Set<string>();
  return accounts.flatMap((account): ChartRow[] => {
    const info = typeOf(account);
    if (info === undefined) return [];
    if (isEntered(info)) return [{ account, balance: form.balances[account.customerAccountID] ?? EMPTY }];
    const isFirst = !shown.has(info.type);
    shown.add(info.type);
    const isReceivable = info.type === 'Accounts Receivable';
    const amount = !isFirst ? ZERO : isReceivable ? figures.receivable : negate(figures.payable);
    const rows = rowsOf(form, isReceivable ? 'invoices' : 'bills').length;
    const words = isReceivable ? { one: 'invoice', many: 'invoices' } : { one: 'bill', many: 'bills' };
    return [{ account, balance: sidesOf(amount), from: isFirst ? counted(rows, words) : '' }];
  });
}

const sidesOf = (amount: Cents): OpenBalance => ({
  debit: amount > 0 ? amount : null,
  credit: amount < 0 ? negate(amount) : null,
});

const SIDES = ['debit', 'credit'] as const;
const TITLES = { debit: 'Debit', credit: 'Credit' } as const;

/** The chart of accounts with a debit and a credit for each account. */
export function ChartGrid({ opening, figures }: ChartProps) {
  const rows = chartRows(opening, figures);
  const { debits, credits } = figures;
  return (
    <div className="ob-grid" role="presentation" onKeyDown={moveInColumn}>
      <table className="ek-lines ek-heads ek-cells ob-table" aria-label="Balances">
        <Heads texts={['Account']} numbers={['Debit', 'Credit']} />
        <tbody>
          {rows.map((row, at) => {
            const group = groupOf(row.account);
            const before = rows[at - 1];
            const isFirst = before === undefined || groupOf(before.account) !== group;
            return (
              <Fragment key={row.account.customerAccountID}>
                {isFirst && (
                  <tr className="ob-group">
                    <th scope="colgroup" colSpan={3}>
                      {group}
                    </th>
                  </tr>
                )}
                <BalanceRow
                  account={row.account}
                  {...row.balance}
                  {...(row.from !== undefined && { from: row.from })}
                  isLocked={opening.isLocked}
                  onChange={opening.setBalance}
                />
              </Fragment>
            );
          })}
        </tbody>
        <tfoot>
          <tr>
            <td>
              {debits === credits ? (
                <Level />
              ) : (
                <Level heavier={debits > credits ? 'debit' : 'credit'}>Out of balance</Level>
              )}
            </td>
            <td data-right="">
              <Amount value={debits} />
            </td>
            <td data-right="">
              <Amount value={credits} />
            </td>
          </tr>
        </tfoot>
      </table>
    </div>
  );
}

interface BalanceRowProps extends OpenBalance, Pick<ChartRow, 'account' | 'from'> {
  isLocked: boolean;
  onChange: Opening['setBalance'];
}

/**
 * Memoized, so that typing an amount in one row doesn't render the others again. A chart can have hundreds of accounts.
 */
const BalanceRow = memo(function BalanceRow(props: BalanceRowProps) {
  const { account, debit, credit, from, isLocked, onChange } = props;
  const label = account.displayAccountLabel;
  const balance = { debit, credit };
  if (from !== undefined) {
    return (
      <tr className="ob-locked">
        <td title={label}>{label}</td>
        {SIDES.map((side) => (
          <td key={side} data-right="" className="ek-num">
            {balance[side] === null ? (
              <span className="ek-muted ek-small">{fromOn(balance, side, from)}</span>
            ) : (
              <Amount value={balance[side]} />
            )}
          </td>
        ))}
      </tr>
    );
  }
  const id = account.customerAccountID;
  return (
    <tr data-line={id}>
      <td title={label}>{label}</td>
      {SIDES.map((side) => (
        <td key={side} data-cell={side}>
          <MoneyField
            label={`${TITLES[side]}, ${label}`}
            inRow
            value={balance[side]}
            onChange={(amount) => onChange(id, side, amount)}
            readOnly={isLocked}
          />
        </td>
      ))}
    </tr>
  );
});

/** Shows the documents only once, on the side without an amount. */
function fromOn({ debit, credit }: OpenBalance, side: keyof OpenBalance, from: string): string {
  const isNone = debit === null && credit === null;
  return isNone && side === 'debit' ? '' : from;
}

/** Enter and the arrow keys move up and down in a column. */
function moveInColumn(event: KeyboardEvent<HTMLElement>): void {
  const cell = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-cell]') : null;
  if (
    cell === null ||
    event.ctrlKey ||
    event.metaKey ||
    !(isKey(event, 'open') || isKey(event, 'down') || isKey(event, 'up'))
  )
    return;
  const column = [...event.currentTarget.querySelectorAll<HTMLElement>(`[data-cell="${cell.dataset['cell']}"]`)];
  const next = column[column.indexOf(cell) + (isKey(event, 'up') ? -1 : 1)];
  if (next === undefined) return;
  event.preventDefault();
  next.querySelector<HTMLElement>('input')?.focus();
}

/** The chart on a phone: a list whose rows open a sheet. */
export function ChartList({ opening, figures }: ChartProps) {
  const [open, setOpen] = useState<number>();
  const rows = chartRows(opening, figures);
  const edited = rows.find(({ account }) => account.customerAccountID === open);
  return (
    <>
      <ul className="ob-list" aria-label="Balances">
        {rows.map(({ account, balance, from }) => (
          <li key={account.customerAccountID}>
            <button
              type="button"
              disabled={from !== undefined || opening.isLocked}
              onClick={() => setOpen(account.customerAccountID)}
            >
              <span className="ob-l1">{account.displayAccountLabel}</span>
              <span className="ob-r1">
                <Amount
                  value={
                    (balance.debit ?? 0) === 0
                      ? balance.credit === null
                        ? ZERO
                        : negate(balance.credit)
                      : balance.debit
                  }
                  zero="dash"
                />
              </span>
              <span className="ob-l2 ek-muted">{from === undefined || from === '' ? '' : `from ${from}`}</span>
              <span className="ob-r2 ek-muted">
                {balance.debit !== null && 'Debit'}
                {balance.credit !== null && 'Credit'}
              </span>
            </button>
          </li>
        ))}
      </ul>
      {edited !== undefined && (
        <AppModal
          opened
          title={edited.account.displayAccountLabel}
          onClose={() => setOpen(undefined)}
          footer={{ primary: { label: 'Done', onClick: () => setOpen(undefined) } }}
        >
          <div className="ek-form">
            {SIDES.map((side) => (
              <MoneyField
                key={side}
                label={TITLES[side]}
                span="half"
                value={edited.balance[side]}
                onChange={(amount) => opening.setBalance(edited.account.customerAccountID, side, amount)}
                autoFocus={side === 'debit'}
              />
            ))}
          </div>
        </AppModal>
      )}
    </>
  );
}
