import type { CustomerOpenInvoice } from '@evenkeel/contract/billing';
import { daysBetween, type IsoDate } from '@evenkeel/core/dates';
import { type Cents, cents, formatAmount, sum } from '@evenkeel/core/money';
import { Fragment } from 'react';
import { MoneyField } from '../ui/fields/MoneyField.tsx';
import { useWide } from '../ui/hooks/media.ts';
import { useToday } from '../ui/hooks/today.tsx';
import { Amount } from '../ui/show/Amount.tsx';
import { DateText } from '../ui/show/DateText.tsx';
import { appliedTo, type PaymentForm, unpaidOf } from './paymentForm.ts';

export interface ApplicationsProps {
  form: PaymentForm;
  open: readonly CustomerOpenInvoice[];
  /** Application Detail: the lines of each invoice under it. */
  detail: boolean;
  onApply: (invoice: CustomerOpenInvoice, amount: Cents | null) => void;
  /** Invoice numbers are links with it. */
  onInvoice?: ((invoiceId: number) => void) | undefined;
}

/** The customer's open invoices with what is applied to each: a table, below 1224 px one card each. */
export function Applications(props: ApplicationsProps) {
  const wide = useWide();
  if (props.open.length === 0) return <p className="ek-muted">No open invoices: the payment stays as a credit.</p>;
  return wide ? <ApplyTable {...props} /> : <ApplyCards {...props} />;
}

const HEADS = ['Invoice Amount', 'Applied Amount', 'Unpaid Amount', 'Apply Amount', 'Unpaid after'];

function ApplyTable(props: ApplicationsProps) {
  return (
    <table className="bl-apply" aria-label="Open invoices of the customer">
      <thead>
        <tr>
          <th scope="col">Invoice Number</th>
          <th scope="col">Invoice Date</th>
          <th scope="col">Due Date</th>
          {HEADS.map((head) => (
            <th key={head} scope="col" data-right="">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {props.open.map((invoice) => (
          <Fragment key={invoice.invoiceId}>
            <ApplyRow {...props} invoice={invoice} />
            {props.detail && <Parts invoice={invoice} />}
          </Fragment>
        ))}
      </tbody>
      <ApplyFoot {...props} />
    </table>
  );
}

type OneProps = ApplicationsProps & { invoice: CustomerOpenInvoice };

function InvoiceNumber({ invoice, onInvoice }: OneProps) {
  if (onInvoice === undefined) return <span className="ek-num ek-medium">{invoice.invoiceNumber}</span>;
  return (
    <button type="button" className="ek-link ek-num" onClick={() => onInvoice(invoice.invoiceId)}>
      {invoice.invoiceNumber}
    </button>
  );
}

function ApplyField({ invoice, form, onApply }: OneProps) {
  const applied = appliedTo(form, invoice.invoiceId);
  return (
    <div className="bl-apply-field">
      <MoneyField
        label={`Apply Amount of invoice ${invoice.invoiceNumber}`}
        inRow
        placeholder="0.00"
        value={applied === 0 ? null : applied}
        onChange={(amount) => onApply(invoice, amount)}
      />
    </div>
  );
}

function ApplyRow(props: OneProps) {
  const { invoice, form } = props;
  const unpaid = unpaidOf(invoice);
  const after = cents(unpaid - appliedTo(form, invoice.invoiceId));
  return (
    <tr>
      <td>
        <InvoiceNumber {...props} />
      </td>
      <td className="ek-second">
        <DateText value={invoice.invoiceDate} />
      </td>
      <td>
        <DateText value={invoice.dueDate} /> <Late dueDate={invoice.dueDate} />
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
        {after === 0 ? 'Paid in full' : <Amount value={after} />}
      </td>
    </tr>
  );
}

function Late({ dueDate }: { dueDate: IsoDate | null }) {
  const days = daysLate(dueDate, useToday());
  return days > 0 ? <span className="bl-late ek-num">{lateWords(days)}</span> : null;
}

const daysLate = (dueDate: IsoDate | null, today: IsoDate): number =>
  dueDate === null ? 0 : Math.max(0, daysBetween(dueDate, today));
const lateWords = (days: number): string => `${days} ${days === 1 ? 'day' : 'days'} late`;

/** The lines of an invoice by their place in it: they come without ids and never change places here. */
function partsOf(invoice: CustomerOpenInvoice) {
  return invoice.lineItems.map((line, place) => ({ key: `${invoice.invoiceId}.${place}`, line }));
}

function Parts({ invoice }: { invoice: CustomerOpenInvoice }) {
  return partsOf(invoice).map(({ key, line }) => (
    <tr key={key} className="bl-part">
      <td colSpan={3}>{line.description}</td>
      <td data-right="">
        <Amount value={line.lineItemAmount} />
      </td>
      <td colSpan={4} />
    </tr>
  ));
}

function ApplyFoot({ open, form }: ApplicationsProps) {
  const applied = sum(open.map((invoice) => appliedTo(form, invoice.invoiceId)));
  const unpaid = sum(open.map(unpaidOf));
  return (
    <tfoot>
      <tr>
        <td colSpan={3}>
          {open.length} open {open.length === 1 ? 'invoice' : 'invoices'}
        </td>
        <td data-right="">
          <Amount value={sum(open.map((invoice) => invoice.invoiceAmount))} />
        </td>
        <td data-right="">
          <Amount value={sum(open.map((invoice) => invoice.appliedAmount))} zero="dash" />
        </td>
        <td data-right="">
          <Amount value={unpaid} />
        </td>
        <td data-right="" className="bl-apply-sum">
          <Amount value={applied} />
        </td>
        <td data-right="">
          <Amount value={cents(unpaid - applied)} />
        </td>
      </tr>
    </tfoot>
  );
}

function ApplyCards(props: ApplicationsProps) {
  return (
    <ul className="bl-apply-cards" aria-label="Open invoices of the customer">
      {props.open.map((invoice) => (
        <li key={invoice.invoiceId} className="bl-apply-card">
          <div>
            <InvoiceNumber {...props} invoice={invoice} />
            <div className="ek-muted ek-small ek-num">{formatAmount(unpaidOf(invoice))} unpaid</div>
            <Late dueDate={invoice.dueDate} />
          </div>
          <ApplyField {...props} invoice={invoice} />
          {props.detail && (
            <ul>
              {partsOf(invoice).map(({ key, line }) => (
                <li key={key}>
                  <span>{line.description}</span>
                  <Amount value={line.lineItemAmount} />
                </li>
              ))}
            </ul>
          )}
        </li>
      ))}
    </ul>
  );
}
