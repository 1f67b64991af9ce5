import type { OpenDocument } from '@evenkeel/contract/subledger';
import { daysBetween, type IsoDate } from '@evenkeel/core/dates';
import { type Cents, cents, formatAmount, sum, ZERO } from '@evenkeel/core/money';
import { NOTHING } from '@evenkeel/core/nothing';
import { Fragment, memo, type Ref, useRef } from 'react';
import { MoneyField } from '../../../ui/fields/MoneyField.tsx';
import { useWide } from '../../../ui/hooks/media.ts';
import { useStable } from '../../../ui/hooks/stable.ts';
import { useToday } from '../../../ui/hooks/today.tsx';
import { Gap, Spaced } from '../../../ui/lines/Spaced.tsx';
import { useDrawnLines } from '../../../ui/lines/useDrawnLines.ts';
import { Amount } from '../../../ui/show/Amount.tsx';
import { Heads } from '../../../ui/table/Heads.tsx';
import { DateText } from '../../../ui/show/DateText.tsx';
import { counted } from '../../../ui/show/words.ts';
import { PartTable } from '../../../ui/table/PartTable.tsx';
import type { DocumentSide } from '../side.ts';
import { appliedTo, discountOf, paidBefore, type PaymentForm, unpaidOf } from './paymentForm.ts';

export interface ApplicationsProps {
  /** The accessible name, for example `Open invoices for the customer`. */
  label: string;
  form: PaymentForm;
  open: readonly OpenDocument[];
  /** Whether Application Detail is on, which shows the lines of each invoice. */
  detail: boolean;
  onApply: (invoice: OpenDocument, amount: Cents | null) => void;
  /** Sets the discount on an invoice. Omitted if no discount can be taken. */
  onDiscount?: ((invoice: OpenDocument, amount: Cents | null) => void) | undefined;
  /** The column headings, for a table that doesn't list invoices. */
  heads?: ApplyHeads;
}

/**
 * The headings of the amount columns. In each row, the amount less `before`, the discount, and `now` equals `after`.
 */
export interface ApplyHeads {
  number: string;
  date: 'Due Date' | 'Date';
  before: string;
  now: string;
  after: string;
  count: { one: string; many: string };
  /** Returns the accessible name of the amount field for an invoice. */
  field: (invoice: OpenDocument) => string;
}

/**
 * The open invoices of a customer or vendor, with the amounts applied to them, as a table or, below 1224 px, as one
 * card per invoice.
 */
export function Applications(props: ApplicationsProps) {
  const wide = useWide();
  const { open, heads = INVOICE_HEADS } = props;
  if (open.length === 0) {
    return <p className="ek-muted">{`No open ${heads.count.many}. The payment becomes a credit.`}</p>;
  }
  return wide ? <ApplyTable {...props} /> : <ApplyCards {...props} />;
}

/** Returns the headings for documents with this name. */
function headsWith(document: string): ApplyHeads {
  return {
    number: 'Invoice Number',
    date: 'Due Date',
    before: 'Paid Before',
    now: 'This Payment',
    after: 'Unpaid After',
    count: { one: document, many: `${document}s` },
    field: ({ invoiceNumber }) => `Apply amount for ${document} ${invoiceNumber}`,
  };
}

export const INVOICE_HEADS = headsWith('invoice');
const BILL_HEADS = headsWith('bill');

/** Returns the headings for the documents of a side. */
export const headsFor = ({ core }: Pick<DocumentSide, 'core'>): ApplyHeads =>
  core.name === 'payable' ? BILL_HEADS : INVOICE_HEADS;

const NO_DISCOUNT: NonNullable<ApplicationsProps['onDiscount']> = () => undefined;

/** Returns the headings of the amount columns. The discount comes before the applied amount. */
function headsOf({ before, now, after }: ApplyHeads, withDiscounts: boolean): readonly string[] {
  return ['Amount', before, ...(withDiscounts ? ['Discount'] : []), now, after];
}

/** The heights in px of a row and a card. */
const ROW = 43;
const CARD = 74;

function ApplyTable(props: ApplicationsProps) {
  const { open, form, detail, heads = INVOICE_HEADS, onDiscount: discounting } = props;
  const withDiscounts = discounting !== undefined;
  // The number and the date come before the amounts.
  const columns = headsOf(heads, withDiscounts).length + 2;
  const table = useRef<HTMLTableElement>(null);
  const drawn = useDrawnLines(table, { count: open.length, height: ROW });
  const onApply = useStable(props.onApply);
  const onDiscount = useStable(discounting ?? NO_DISCOUNT);
  return (
    <PartTable
      className="dc-apply ek-heads"
      label={props.label}
      rowCount={drawn.isPart ? open.length + 2 : undefined}
      ref={table}
      onFocus={(event) => drawn.onFocus(event.target)}
    >
      <Heads texts={[heads.number, heads.date]} numbers={headsOf(heads, withDiscounts)} />
      {drawn.lines.map(({ index, gap }) => {
        const invoice = open[index];
        return (
          invoice !== undefined && (
            <Spaced key={invoice.invoiceId} gap={gap} span={columns}>
              <ApplyRow
                {...{ invoice, detail, index }}
                heads={heads}
                applied={appliedTo(form, invoice.invoiceId)}
                {...(withDiscounts && { discount: discountOf(form, invoice.invoiceId), onDiscount })}
                paymentDate={form.paymentDate}
                onApply={onApply}
                bodyRef={drawn.measure}
              />
            </Spaced>
          )
        );
      })}
      {drawn.after > 0 && <Gap height={drawn.after} span={columns} />}
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
  /** The discount that is taken. Omitted if none can be taken. */
  discount?: Cents | undefined;
  paymentDate?: IsoDate | null | undefined;
  onDiscount?: ((invoice: OpenDocument, amount: Cents | null) => void) | undefined;
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

type DiscountProps = Pick<OneProps, 'invoice' | 'discount' | 'onDiscount' | 'paymentDate' | 'heads'>;

/** An invoice's discount and its expiration date. The user can still take the discount after that date. */
export function DiscountField(props: DiscountProps) {
  const { invoice, discount: taken = ZERO, paymentDate = null, heads = INVOICE_HEADS, onDiscount } = props;
  const { discount, invoiceNumber } = invoice;
  if (onDiscount === undefined) return null;
  if (discount === undefined) return <span className="ek-muted">{NOTHING}</span>;
  const { amount, until } = discount;
  const isLate = until !== null && paymentDate !== null && paymentDate > until;
  return (
    <div className="dc-apply-field">
      <MoneyField
        label={`Discount on ${heads.count.one} ${invoiceNumber}`}
        inRow
        placeholder="0.00"
        value={taken === 0 ? null : taken}
        onChange={(typed) => onDiscount(invoice, typed)}
      />
      {until !== null && (
        <span className="dc-until ek-num" data-late={isLate ? '' : undefined}>
          {formatAmount(amount)} {isLate ? 'ended' : 'until'} <DateText value={until} />
        </span>
      )}
    </div>
  );
}

interface ApplyRowProps extends OneProps {
  index: number;
  bodyRef: Ref<HTMLTableSectionElement> | undefined;
}

/** An invoice with its lines if detail is on. Memoized, so that typing in one invoice doesn't render the others. */
const ApplyRow = memo(function ApplyRow({ index, bodyRef, ...props }: ApplyRowProps) {
  return (
    <tbody ref={bodyRef} data-index={index}>
      <Figures {...props} />
      {props.detail && <Parts invoice={props.invoice} rest={props.onDiscount === undefined ? 3 : 4} />}
    </tbody>
  );
});

function Figures(props: OneProps) {
  const { invoice, applied, discount, onDiscount, heads = INVOICE_HEADS } = props;
  const after = cents(unpaidOf(invoice) - applied - (discount ?? 0));
  return (
    <tr data-on={applied === 0 ? undefined : ''}>
      <td>
        <InvoiceNumber invoice={invoice} />
      </td>
      <td className="ek-second">
        <DateText value={heads.date === 'Date' ? invoice.invoiceDate : invoice.dueDate} /> <Late invoice={invoice} />
      </td>
      <td data-right="">
        <Amount value={invoice.invoiceAmount} />
      </td>
      <td data-right="" className="ek-second">
        <Amount value={paidBefore(invoice)} zero="dash" />
      </td>
      {onDiscount !== undefined && (
        <td data-right="">
          <DiscountField {...props} />
        </td>
      )}
      <td data-right="">
        <ApplyField {...props} />
      </td>
      <td data-right="" className={after === 0 ? 'dc-apply-done' : undefined}>
        <Amount value={after} />
      </td>
    </tr>
  );
}

/** The number of days past due. A credit is never overdue. */
export function Late({ invoice }: Pick<OneProps, 'invoice'>) {
  const today = useToday();
  const days = invoice.dueDate === null || unpaidOf(invoice) <= 0 ? 0 : daysBetween(invoice.dueDate, today);
  return days > 0 ? <span className="dc-late ek-num">{counted(days, DAYS)} overdue</span> : null;
}

const DAYS = { one: 'day', many: 'days' };

/**
 * Returns the lines of an invoice with their index as the key, because they have no IDs and never change their order
 * here. Their total differs from the invoice amount by the sales tax.
 */
function partsOf({ invoiceId, invoiceAmount, lineItems }: OpenDocument) {
  const tax = cents(invoiceAmount - sum(lineItems.map((line) => line.lineItemAmount)));
  const parts = lineItems.map(({ description, lineItemAmount }) => ({ description, amount: lineItemAmount }));
  if (tax !== 0) parts.push({ description: 'Sales tax', amount: tax });
  return parts.map((part, place) => ({ ...part, key: `${invoiceId}.${place}` }));
}

function Parts({ invoice, rest }: { invoice: OpenDocument; rest: number }) {
  return partsOf(invoice).map(({ key, description, amount }) => (
    <tr key={key} className="dc-part">
      <td colSpan={2}>{description}</td>
      <td data-right="">
        <Amount value={amount} />
      </td>
      <td colSpan={rest} />
    </tr>
  ));
}

function ApplyFoot({ open, form, heads = INVOICE_HEADS, onDiscount }: ApplicationsProps) {
  const applied = sum(open.map((invoice) => appliedTo(form, invoice.invoiceId)));
  const discounts = sum(open.map((invoice) => discountOf(form, invoice.invoiceId)));
  const unpaid = sum(open.map(unpaidOf));
  return (
    <tfoot>
      <tr>
        <td colSpan={2}>{counted(open.length, heads.count)}</td>
        <td data-right="">
          <Amount value={sum(open.map((invoice) => invoice.invoiceAmount))} />
        </td>
        <td data-right="">
          <Amount value={sum(open.map(paidBefore))} zero="dash" />
        </td>
        {onDiscount !== undefined && (
          <td data-right="" className="dc-apply-sum">
            <Amount value={discounts} zero="dash" />
          </td>
        )}
        <td data-right="" className="dc-apply-sum">
          <Amount value={applied} />
        </td>
        <td data-right="">
          <Amount value={cents(unpaid - applied - discounts)} />
        </td>
      </tr>
    </tfoot>
  );
}

function ApplyCards({ label, form, open, detail, heads, onApply: apply, onDiscount: discounting }: ApplicationsProps) {
  const list = useRef<HTMLUListElement>(null);
  const drawn = useDrawnLines(list, { count: open.length, height: CARD });
  const onApply = useStable(apply);
  const onDiscount = useStable(discounting ?? NO_DISCOUNT);
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
                {...(discounting && { discount: discountOf(form, invoice.invoiceId), onDiscount })}
                paymentDate={form.paymentDate}
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
  const { invoice, detail, applied, discount = ZERO, heads = INVOICE_HEADS } = props;
  const before = paidBefore(invoice);
  return (
    <li ref={itemRef} data-index={index} className="dc-apply-card">
      <div>
        <InvoiceNumber invoice={invoice} /> <Late invoice={invoice} />
        <div className="ek-muted ek-small ek-num">
          {formatAmount(invoice.invoiceAmount)}
          {before !== 0 && `, ${heads.before.toLowerCase()} ${formatAmount(before)}`}
        </div>
      </div>
      <div>
        <ApplyField {...props} />
        <div className="dc-apply-after ek-muted ek-small ek-num">
          {heads.after} {formatAmount(cents(unpaidOf(invoice) - applied - discount))}
        </div>
      </div>
      {invoice.discount !== undefined && props.onDiscount !== undefined && (
        <>
          <span className="ek-muted ek-small">Discount</span>
          <DiscountField {...props} />
        </>
      )}
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
