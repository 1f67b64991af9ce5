import type { GlEntry } from '@evenkeel/contract/ledger';
import type { BankLine } from '@evenkeel/contract/statements';
import { formatDate } from '@evenkeel/core/dates';
import { type Cents, formatAmount } from '@evenkeel/core/money';
import { usePlace } from '../../records/place.ts';
import { Amount } from '../../ui/show/Amount.tsx';
import { restOf, type Unmatched } from './bankSide.ts';
import { amountOf, type ReconcileForm } from './reconcileForm.ts';

/** The maximum number of rows in a list. Its total covers all rows. */
const SHOWN = 20;

/** Opens a bank transaction for review from a reconciliation. The reconciliation form is kept on this device. */
export function useReviewLine(): (line: Pick<BankLine, 'id' | 'bankAccountId'>) => void {
  const { go } = usePlace();
  return ({ id, bankAccountId }) =>
    go({ reconcile: undefined, part: undefined, q: undefined, tab: 'review', of: bankAccountId, line: id });
}

export interface UnmatchedListsProps {
  unmatched: Unmatched;
  form: ReconcileForm;
  difference: Cents;
  onClear: (glid: number) => void;
}

/**
 * The bank transactions without an entry and the cleared entries without a bank transaction, which make up the
 * difference.
 */
export function UnmatchedLists({ unmatched, form, difference, onClear }: UnmatchedListsProps) {
  const { bank, books, ofBank, ofBooks } = unmatched;
  const review = useReviewLine();
  const rest = restOf(unmatched, form, difference);
  const { bankCharge, interest } = form;
  const sums = [
    `${formatAmount(ofBooks)} less ${formatAmount(ofBank)}`,
    ...(bankCharge === null || bankCharge === 0 ? [] : [`minus the bank charge of ${formatAmount(bankCharge)}`]),
    ...(interest === null || interest === 0 ? [] : [`plus the interest of ${formatAmount(interest)}`]),
  ].join(', ');
  const onReview = (id: number) => {
    const line = bank.find((one) => one.id === id);
    if (line !== undefined) review(line);
  };
  return (
    <section className="bk-unmatched" aria-label="Unmatched on Both Sides">
      <List title="On the statement, but not in your books" rows={bank.map(ofLine)} act="Review" onAct={onReview} />
      <List title="Selected, but not on the statement" rows={books.map(ofEntry)} act="Clear" onAct={onClear} />
      <p className="ek-muted ek-small">
        {rest === 0
          ? `The difference is ${sums}. Everything else is matched.`
          : `${sums}. The remaining ${formatAmount(rest)} has not been imported, or has been matched but not selected.`}
      </p>
    </section>
  );
}

interface Item {
  id: number;
  text: string;
  detail: string;
  amount: Cents;
}

const ofLine = ({ id, text, date, amount }: BankLine): Item => ({ id, text, detail: formatDate(date), amount });

function ofEntry(entry: GlEntry): Item {
  const detail = [formatDate(entry.postingDate), entry.number ?? ''].filter((part) => part !== '').join(' · ');
  return { id: entry.glid, text: entry.entityName || entry.description, detail, amount: amountOf(entry) };
}

interface ListProps {
  title: string;
  rows: readonly Item[];
  act: string;
  onAct: (id: number) => void;
}

function List({ title, rows, act, onAct }: ListProps) {
  return (
    <div>
      <div className="bk-unmatched-head">
        <h3>{title}</h3>
        <span className="ek-muted ek-small ek-num">{rows.length.toLocaleString('en-US')}</span>
      </div>
      <ul className="bk-hints">
        {rows.slice(0, SHOWN).map(({ id, text, detail, amount }) => (
          <li key={id}>
            <div className="ek-grow">
              <div className="ek-ellipsis">{text}</div>
              <div className="ek-muted ek-small ek-num">{detail}</div>
            </div>
            <Amount value={amount} />
            <button type="button" className="ek-link" aria-label={`${act} ${text}`} onClick={() => onAct(id)}>
              {act}
            </button>
          </li>
        ))}
      </ul>
      {rows.length > SHOWN && <p className="ek-muted ek-small">{`and ${rows.length - SHOWN} more`}</p>}
    </div>
  );
}
