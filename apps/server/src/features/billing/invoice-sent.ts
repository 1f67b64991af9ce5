import { type BillingInvoice, invoiceCalls } from '@evenkeel/contract/billing';
import { daysBetween, formatDate } from '@evenkeel/core/dates';
import { sendingFault } from '@evenkeel/core/documents/invoice';
import { discountWords } from '@evenkeel/core/documents/terms';
import { formatUsd } from '@evenkeel/core/money';
import type { Ctx } from '../../platform/http/context.ts';
import type { InvoicePaper } from '../../platform/pdf/invoice.ts';
import { payText, paymentInstructions } from '../settings/sending.ts';
import { invoiceFlow, invoices, markSent } from './invoices.ts';
import { invoicePaperOf } from './print.ts';
import { sentDocument } from './sent.ts';

/** Invoices as sent to customers. */
export const sentInvoices = sentDocument({
  calls: invoiceCalls,
  documents: invoices,
  markSent: (ctx, id) => markSent(ctx, invoiceFlow, id),
  content: ({ today }, invoice, { settings, ...parties }) => {
    const { invoiceNumber: number, invoiceDate, dueDate, openAmount } = invoice;
    const ways = paymentInstructions(settings, { number, amount: openAmount });
    return {
      paper: invoicePaperOf({ invoice, ...parties, howToPay: settings.howToPay }),
      values: {
        'invoice date': formatDate(invoiceDate),
        'due date': dueDate === null ? '' : formatDate(dueDate),
        'days overdue': String(Math.max(0, daysBetween(dueDate ?? invoiceDate, today))),
        terms: termsOf(invoice),
        amount: formatUsd(invoice.invoiceAmount),
        'amount due': formatUsd(openAmount),
        'how to pay': payText(ways),
      },
      refusal: sendingFault(invoice.arBillingStatus),
      isSettled: openAmount <= 0,
      payment: { terms: termsOf(invoice), howToPay: ways.text, payLink: ways.link },
    };
  },
});

/** Returns the content of the printed invoice. Throws 404. */
export async function invoicePaper(ctx: Ctx, id: number): Promise<InvoicePaper> {
  return (await sentInvoices.read(ctx, id)).paper;
}

type Terms = Pick<BillingInvoice, 'invoiceDate' | 'dueDate' | 'discountPercent' | 'discountUntil'>;

/** Returns the terms in the customer's words, such as "Net 30" or "2% discount if paid by 12/6/2026, net 30". */
export function termsOf({ invoiceDate, dueDate, discountPercent: percent, discountUntil: until }: Terms): string {
  const days = dueDate === null ? undefined : daysBetween(invoiceDate, dueDate);
  const net = days === undefined ? '' : days <= 0 ? 'Due on receipt' : `Net ${days}`;
  if (percent === undefined || until === undefined) return net;
  return [discountWords({ percent, until }), net.toLowerCase()].filter((words) => words !== '').join(', ');
}
