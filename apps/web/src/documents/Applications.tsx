import type { OpenDocument } from '@evenkeel/contract/subledger';
import { daysBetween } from '@evenkeel/core/dates';
import { type Cents, cents, formatAmount, sum } from '@evenkeel/core/money';
import { Fragment } from 'react';
import { MoneyField } from '../ui/fields/MoneyField.tsx';
import { useWide } from '../ui/hooks/media.ts';
import { useToday } from '../ui/hooks/today.tsx';
import { Amount } from '../ui/show/Amount.tsx';
import { DateText } from '../ui/show/DateText.tsx';
import { counted } from '../ui/show/words.ts';
import { appliedTo, type PaymentForm, unpaidOf } from './paymentForm.ts';

export interface ApplicationsProps {
  /** `Open invoices of the customer`. */
  label: string;
  form: PaymentForm;
  open: readonly OpenDocument[];
  /** Application Detail: the lines of each invoice under it. */
  detail: boolean;
  onApply: (invoice: OpenDocument, amount: Cents | null) => void;
}

/** The open invoices of a customer or vendor with what is applied to each: a table, below 1224 px one card each. */
export function Applications(props: ApplicationsProps) {
  const wide = useWide();
  if (props.open.length === 0) return <p className="ek-muted">No open invoices: the payment stays as a credit.</p>;
  return wide ? <ApplyTable {...props} /> : <ApplyCards {...props} />;
}

const HEADS = ['Invoice Amount', 'Applied Amount', 'Unpaid Amount', 'Apply Amount', 'Unpaid after'];

function ApplyTable(props: ApplicationsProps) {
  return (
    <table className="dc-apply" aria-label={props.label}>
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

type OneProps = ApplicationsProps & { invoice: OpenDocument };

function InvoiceNumber({ invoice }: Pick<OneProps, 'invoice'>) {
  return <span className="ek-num ek-medium">{invoice.invoiceNumber}</span>;
}

function ApplyField({ invoice, form, onApply }: OneProps) {
  const applied = appliedTo(form, invoice.invoiceId);
  return (
    <div className="dc-apply-field">
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
        {after === 0 ? unpaid < 0 ? 'Used in full' : 'Paid in full' : <Amount value={after} />}
      </td>
    </tr>
  );
}

/** How late it is; a credit never is. */
function Late({ invoice }: Pick<OneProps, 'invoice'>) {
  const today = useToday();
  const days = invoice.dueDate === null || unpaidOf(invoice) <= 0 ? 0 : daysBetween(invoice.dueDate, today);
  return days > 0 ? <span className="dc-late ek-num">{counted(days, DAYS)} late</span> : null;
}

const DAYS = { one: 'day', many: 'days' };
const OPEN_INVOICES = { one: 'open invoice', many: 'open invoices' };

/**
 * The lines of an invoice by their place in it: they come without ids and never change places here. What they lack to
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

function ApplyFoot({ open, form }: ApplicationsProps) {
  const applied = sum(open.map((invoice) => appliedTo(form, invoice.invoiceId)));
  const unpaid = sum(open.map(unpaidOf));
  return (
    <tfoot>
      <tr>
        <td colSpan={3}>{counted(open.length, OPEN_INVOICES)}</td>
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

function ApplyCards(props: ApplicationsProps) {
  return (
    <ul className="dc-apply-cards" aria-label={props.label}>
      {props.open.map((invoice) => (
        <li key={invoice.invoiceId} className="dc-apply-card">
          <div>
            <InvoiceNumber invoice={invoice} />
            <div className="ek-muted ek-small ek-num">{formatAmount(unpaidOf(invoice))} unpaid</div>
            <Late invoice={invoice} />
          </div>
          <ApplyField {...props} invoice={invoice} />
          {props.detail && (
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
      ))}
    </ul>
  );
}
