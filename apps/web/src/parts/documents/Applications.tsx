import type { OpenDocument } from '@evenkeel/contract/subledger';
import { daysBetween } from '@evenkeel/core/dates';
import { type Cents, cents, formatAmount, sum } from '@evenkeel/core/money';
import { Fragment, memo, type Ref, useRef } from 'react';
import { MoneyField } from '../../ui/fields/MoneyField.tsx';
import { useWide } from '../../ui/hooks/media.ts';
import { useStable } from '../../ui/hooks/stable.ts';
import { useToday } from '../../ui/hooks/today.tsx';
import { Gap, Spaced } from '../../ui/lines/Spaced.tsx';
import { useDrawnLines } from '../../ui/lines/useDrawnLines.ts';
import { Amount } from '../../ui/show/Amount.tsx';
import { DateText } from '../../ui/show/DateText.tsx';
import { counted } from '../../ui/show/words.ts';
import { PartTable } from '../../ui/table/PartTable.tsx';
import { appliedTo, type PaymentForm, unpaidOf } from './paymentForm.ts';

export interface ApplicationsProps {
  /** `Open invoices of the customer`. */
  label: string;
  form: PaymentForm;
  open: readonly OpenDocument[];
  /** Application Detail: the lines of each invoice under it. */
  detail: boolean;
  onApply: (invoice: OpenDocument, amount: Cents | null) => void;
  /** The words of the table, where it lists no invoices. */
  heads?: ApplyHeads;
}

export interface ApplyHeads {
  number: string;
  date: string;
  amounts: readonly string[];
  /** The label of the field. */
  field: (invoice: OpenDocument) => string;
}

/** The open invoices of a customer or vendor with what is applied to each: a table, below 1224 px one card each. */
export function Applications(props: ApplicationsProps) {
  const wide = useWide();
  if (props.open.length === 0) return <p className="ek-muted">No open invoices: the payment stays as a credit.</p>;
  return wide ? <ApplyTable {...props} /> : <ApplyCards {...props} />;
}

const INVOICE_HEADS: ApplyHeads = {
  number: 'Invoice Number',
  date: 'Invoice Date',
  amounts: ['Invoice Amount', 'Applied Amount', 'Unpaid Amount', 'Apply Amount', 'Unpaid after'],
  field: ({ invoiceNumber }) => `Apply Amount of invoice ${invoiceNumber}`,
};

/** Number and two dates stand before them. */
const COLUMNS = INVOICE_HEADS.amounts.length + 3;
/** px of a row, and of a card. */
const ROW = 43;
const CARD = 74;

function ApplyTable(props: ApplicationsProps) {
  const { open, form, detail, heads: given } = props;
  const heads = given ?? INVOICE_HEADS;
  const table = useRef<HTMLTableElement>(null);
  const drawn = useDrawnLines(table, { count: open.length, height: ROW });
  const onApply = useStable(props.onApply);
  return (
    <PartTable
      className="dc-apply ek-heads"
      label={props.label}
      rowCount={drawn.isPart ? open.length + 2 : undefined}
      ref={table}
      onFocus={(event) => drawn.onFocus(event.target)}
    >
      <thead>
        <tr>
          <th scope="col">{heads.number}</th>
          <th scope="col">{heads.date}</th>
          <th scope="col">Due Date</th>
          {heads.amounts.map((head) => (
            <th key={head} scope="col" data-right="">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      {drawn.lines.map(({ index, gap }) => {
        const invoice = open[index];
        return (
          invoice !== undefined && (
            <Spaced key={invoice.invoiceId} gap={gap} span={COLUMNS}>
              <ApplyRow
                {...{ invoice, detail, index }}
                {...(given && { heads: given })}
                applied={appliedTo(form, invoice.invoiceId)}
                onApply={onApply}
                bodyRef={drawn.measure}
              />
            </Spaced>
          )
        );
      })}
      {drawn.after > 0 && <Gap height={drawn.after} span={COLUMNS} />}
      <ApplyFoot {...props} />
    </PartTable>
  );
}

interface OneProps {
  invoice: OpenDocument;
  applied: Cents;
  detail: boolean;
  heads?: ApplyHeads;
  error?: string | undefined;
  onApply: (invoice: OpenDocument, amount: Cents | null) => void;
}

export function InvoiceNumber({ invoice }: Pick<OneProps, 'invoice'>) {
  return <span className="ek-num ek-medium">{invoice.invoiceNumber}</span>;
}

export function ApplyField({ invoice, applied, error, heads = INVOICE_HEADS, onApply }: Omit<OneProps, 'detail'>) {
  return (
    <div className="dc-apply-field">
      <MoneyField
        label={heads.field(invoice)}
        inRow
        placeholder="0.00"
        error={error}
        value={applied === 0 ? null : applied}
        onChange={(amount) => onApply(invoice, amount)}
      />
    </div>
  );
}

interface ApplyRowProps extends OneProps {
  index: number;
  bodyRef: Ref<HTMLTableSectionElement> | undefined;
}

/** An invoice, with its lines in detail; typing in another one does not draw it anew. */
const ApplyRow = memo(function ApplyRow({ index, bodyRef, ...props }: ApplyRowProps) {
  return (
    <tbody ref={bodyRef} data-index={index}>
      <Figures {...props} />
      {props.detail && <Parts invoice={props.invoice} />}
    </tbody>
  );
});

function Figures(props: OneProps) {
  const { invoice, applied } = props;
  const unpaid = unpaidOf(invoice);
  const after = cents(unpaid - applied);
  const isCredit = unpaid < 0 || props.heads !== undefined;
  return (
    <tr>
      <td>
        <InvoiceNumber invoice={invoice} />
      </td>
      <td className="ek-second">
        <DateText value={invoice.invoiceDate} />
      </td>
      <td>
        <DateText value={invoice.dueDate} /> <Late invoice={invoice} />
      </td>
      <td data-right="">
        <Amount value={invoice.invoiceAmount} />
      </td>
      <td data-right="" className="ek-second">
        <Amount value={invoice.appliedAmount} zero="dash" />
      </td>
      <td data-right="">
        <Amount value={unpaid} />
      </td>
      <td data-right="">
        <ApplyField {...props} />
      </td>
      <td data-right="" className={after === 0 ? 'ek-second' : 'ek-semi'}>
        {after === 0 ? isCredit ? 'Used in full' : 'Paid in full' : <Amount value={after} />}
      </td>
    </tr>
  );
}

/** Days past due; a credit is never late. */
export function Late({ invoice }: Pick<OneProps, 'invoice'>) {
  const today = useToday();
  const days = invoice.dueDate === null || unpaidOf(invoice) <= 0 ? 0 : daysBetween(invoice.dueDate, today);
  return days > 0 ? <span className="dc-late ek-num">{counted(days, DAYS)} late</span> : null;
}

const DAYS = { one: 'day', many: 'days' };
const OPEN_INVOICES = { one: 'open invoice', many: 'open invoices' };
const CREDITS = { one: 'credit', many: 'credits' };

/**
 * The lines of an invoice by their place in it: they come without ids and never change places here. The difference to
 * its amount is sales tax.
 */
function partsOf({ invoiceId, invoiceAmount, lineItems }: OpenDocument) {
  const tax = cents(invoiceAmount - sum(lineItems.map((line) => line.lineItemAmount)));
  const parts = lineItems.map(({ description, lineItemAmount }) => ({ description, amount: lineItemAmount }));
  if (tax !== 0) parts.push({ description: 'Sales tax', amount: tax });
  return parts.map((part, place) => ({ ...part, key: `${invoiceId}.${place}` }));
}

function Parts({ invoice }: { invoice: OpenDocument }) {
  return partsOf(invoice).map(({ key, description, amount }) => (
    <tr key={key} className="dc-part">
      <td colSpan={3}>{description}</td>
      <td data-right="">
        <Amount value={amount} />
      </td>
      <td colSpan={4} />
    </tr>
  ));
}

function ApplyFoot({ open, form, heads }: ApplicationsProps) {
  const applied = sum(open.map((invoice) => appliedTo(form, invoice.invoiceId)));
  const unpaid = sum(open.map(unpaidOf));
  return (
    <tfoot>
      <tr>
        <td colSpan={3}>{counted(open.length, heads === undefined ? OPEN_INVOICES : CREDITS)}</td>
        <td data-right="">
          <Amount value={sum(open.map((invoice) => invoice.invoiceAmount))} />
        </td>
        <td data-right="">
          <Amount value={sum(open.map((invoice) => invoice.appliedAmount))} zero="dash" />
        </td>
        <td data-right="">
          <Amount value={unpaid} />
        </td>
        <td data-right="" className="dc-apply-sum">
          <Amount value={applied} />
        </td>
        <td data-right="">
          <Amount value={cents(unpaid - applied)} />
        </td>
      </tr>
    </tfoot>
  );
}

function ApplyCards({ label, form, open, detail, heads, onApply: apply }: ApplicationsProps) {
  const list = useRef<HTMLUListElement>(null);
  const drawn = useDrawnLines(list, { count: open.length, height: CARD });
  const onApply = useStable(apply);
  return (
    <ul className="dc-apply-cards" aria-label={label} ref={list} onFocus={(event) => drawn.onFocus(event.target)}>
      {drawn.lines.map(({ index, gap }) => {
        const invoice = open[index];
        return (
          invoice !== undefined && (
            <Fragment key={invoice.invoiceId}>
              {gap > 0 && <li aria-hidden="true" style={{ height: gap }} />}
              <ApplyCard
                {...{ invoice, detail, index }}
                {...(heads && { heads })}
                applied={appliedTo(form, invoice.invoiceId)}
                onApply={onApply}
                itemRef={drawn.measure}
              />
            </Fragment>
          )
        );
      })}
      {drawn.after > 0 && <li aria-hidden="true" style={{ height: drawn.after }} />}
    </ul>
  );
}

interface ApplyCardProps extends OneProps {
  index?: number;
  itemRef?: Ref<HTMLLIElement> | undefined;
}

export const ApplyCard = memo(function ApplyCard({ index, itemRef, ...props }: ApplyCardProps) {
  const { invoice, detail } = props;
  return (
    <li ref={itemRef} data-index={index} className="dc-apply-card">
      <div>
        <InvoiceNumber invoice={invoice} />
        <div className="ek-muted ek-small ek-num">
          {formatAmount(unpaidOf(invoice))} {props.heads === undefined ? 'unpaid' : 'left'}
        </div>
        <Late invoice={invoice} />
      </div>
      <ApplyField {...props} />
      {detail && (
        <ul>
          {partsOf(invoice).map(({ key, description, amount }) => (
            <li key={key}>
              <span>{description}</span>
              <Amount value={amount} />
            </li>
          ))}
        </ul>
      )}
    </li>
  );
});
