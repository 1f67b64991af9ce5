import { type BillingCredit, creditCalls, creditMemoCalls } from '@evenkeel/contract/credits';
import { formatDate } from '@evenkeel/core/dates';
import { sendingFault } from '@evenkeel/core/documents/invoice';
import { documentKinds } from '@evenkeel/core/documents/side';
import { formatUsd, negate } from '@evenkeel/core/money';
import type { Parties } from '../entities/parties.ts';
import { route } from '../../platform/http/route.ts';
import type { InvoicePaper } from '../../platform/pdf/invoice.ts';
import { creditFlow, credits } from './credits.ts';
import { invoices, markSent } from './invoices.ts';
import { invoicePaperOf } from './print.ts';
import { sentDocument } from './sent.ts';

/** Credit memos as sent to customers. */
export const sentCredits = sentDocument({
  calls: creditMemoCalls,
  documents: credits,
  routes: [
    route(creditCalls.creditable, (ctx, { params, query }) => credits.creditable(ctx, params.id, query.without)),
  ],
  markSent: (ctx, id) => markSent(ctx, creditFlow, id),
  content: async (ctx, memo, { company, customer }) => {
    const of = memo.creditedInvoiceId === null ? undefined : await invoices.get(ctx, memo.creditedInvoiceId);
    return {
      paper: creditPaperOf({ memo, of: of?.invoiceNumber, company, customer }),
      values: {
        'credit date': formatDate(memo.invoiceDate),
        amount: formatUsd(negate(memo.invoiceAmount)),
        'credit left': formatUsd(negate(memo.openAmount)),
      },
      refusal: sendingFault(memo.arBillingStatus, documentKinds.creditmemo.label.toLowerCase()),
    };
  },
});

/** Returns the content of a printed credit memo. `of` is the number of the credited invoice. */
function creditPaperOf({
  memo,
  of,
  ...parties
}: Parties & { memo: BillingCredit; of: string | undefined }): InvoicePaper {
  // Shows positive amounts, as on an invoice. The title says that the document is a credit memo.
  const turned = {
    ...memo,
    lineItems: memo.lineItems.map((line) => ({ ...line, workItemId: null })),
    invoiceAmount: negate(memo.invoiceAmount),
    openAmount: negate(memo.openAmount),
  };
  return {
    ...invoicePaperOf({ ...parties, invoice: turned, howToPay: '' }),
    name: 'Credit Memo',
    shortName: 'Credit',
    asks: 'nothing',
    facts: of === undefined ? [] : [{ label: 'For Invoice', value: of }],
    note: { label: 'Reason', text: memo.reason },
  };
}
