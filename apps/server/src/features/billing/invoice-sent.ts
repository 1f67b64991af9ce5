import { invoiceCalls } from '@evenkeel/contract/billing';
import { daysBetween, formatDate } from '@evenkeel/core/dates';
import { sendingFault } from '@evenkeel/core/documents/invoice';
import { invoiceTerms } from '@evenkeel/core/documents/terms';
import { formatUsd } from '@evenkeel/core/money';
import type { Ctx } from '../../platform/http/context.ts';
import type { InvoicePaper } from '../../platform/pdf/invoice.ts';
import { payNowSql } from '../settings/paynow.ts';
import { payText, paymentInstructions } from '../settings/sending.ts';
import { selectPaidWith } from './invoices.sql.ts';
import { invoiceFlow, invoices, markSent } from './invoices.ts';
import { invoicePaperOf } from './print.ts';
import { sentDocument } from './sent.ts';

/** Invoices as sent to customers. */
export const sentInvoices = sentDocument({
  calls: invoiceCalls,
  documents: invoices,
  markSent: (ctx, id) => markSent(ctx, invoiceFlow, id),
  content: async ({ today, tx }, invoice, { settings, ...parties }) => {
    const { invoiceNumber: number, invoiceDate, dueDate, openAmount } = invoice;
    const ways = paymentInstructions(settings, { number, amount: openAmount });
    const [paidWith, payNow] = await Promise.all([tx.rows(selectPaidWith(invoice.id)), tx.row(payNowSql())]);
    const isPayable = openAmount > 0 && (payText(ways) !== '' || payNow !== undefined);
    const daysOverdue = Math.max(0, daysBetween(dueDate ?? invoiceDate, today));
    return {
      paper: invoicePaperOf({ invoice, ...parties, howToPay: settings.howToPay }),
      values: {
        'invoice date': formatDate(invoiceDate),
        'due date': dueDate === null ? '' : formatDate(dueDate),
        'days overdue': String(daysOverdue),
        'time overdue': `${daysOverdue} ${daysOverdue === 1 ? 'day' : 'days'}`,
        'link actions': isPayable ? 'view, download, and pay' : 'view and download',
        terms: invoiceTerms(invoice),
        amount: formatUsd(invoice.invoiceAmount),
        'amount due': formatUsd(openAmount),
        'how to pay': payText(ways),
      },
      refusal: sendingFault(invoice.arBillingStatus),
      isSettled: openAmount <= 0,
      payment: { terms: invoiceTerms(invoice), howToPay: ways.text, payLink: ways.link, isPayable, paidWith },
    };
  },
});

/** Returns the content of the printed invoice. Throws 404 if the invoice does not exist. */
export async function invoicePaper(ctx: Ctx, id: number): Promise<InvoicePaper> {
  return (await sentInvoices.read(ctx, id)).paper;
}
