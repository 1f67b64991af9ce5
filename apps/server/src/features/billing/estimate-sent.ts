import { type BillingEstimate, estimateCalls, estimateDocumentCalls } from '@evenkeel/contract/estimates';
import { formatDate } from '@evenkeel/core/dates';
import { ACCEPTED, answerFault, DECLINED, estimateSendingFault, INVOICED } from '@evenkeel/core/documents/estimate';
import { formatUsd } from '@evenkeel/core/money';
import type { Parties } from '../entities/parties.ts';
import { momentIn } from '../../platform/clock.ts';
import { route } from '../../platform/http/route.ts';
import type { InvoicePaper } from '../../platform/pdf/invoice.ts';
import { answerEstimate, estimates, markEstimateSent } from './estimates.ts';
import { invoicePaperOf } from './print.ts';
import { type AnswerShown, type Opened, sentDocument } from './sent.ts';

/** Estimates as sent to customers. */
export const sentEstimates = sentDocument({
  calls: estimateDocumentCalls,
  documents: estimates,
  routes: [
    route(estimateCalls.invoiceable, (ctx, { params, query }) => estimates.invoiceable(ctx, params.id, query.without)),
    route(estimateCalls.estimateInvoices, (ctx, { params }) => estimates.invoices(ctx, params.id)),
    route(estimateCalls.invoiceEstimate, (ctx, { params, body }) => estimates.invoice(ctx, params.id, body)),
  ],
  markSent: markEstimateSent,
  takeAnswer: answerEstimate,
  content: (_, estimate, { company, customer }) => {
    const { invoiceDate, dueDate, invoiceAmount, arBillingStatus } = estimate;
    return {
      paper: estimatePaperOf({ estimate, company, customer }),
      values: {
        'estimate date': formatDate(invoiceDate),
        'expiration date': dueDate === null ? '' : formatDate(dueDate),
        amount: formatUsd(invoiceAmount),
      },
      refusal: estimateSendingFault(arBillingStatus),
      answer: (opened) => answerShown(estimate, opened),
    };
  },
});

/** Returns the content of a printed estimate, which has no request for payment. */
function estimatePaperOf({ estimate, ...parties }: Parties & { estimate: BillingEstimate }): InvoicePaper {
  const { status: _, ...paper } = invoicePaperOf({ ...parties, invoice: estimate, howToPay: '' });
  const isMarked = estimate.badge !== 'Sent';
  return {
    ...paper,
    name: 'Estimate',
    shortName: 'Estimate',
    asks: 'answer',
    ...(isMarked ? { status: estimate.badge } : {}),
    note: { label: 'Note', text: estimate.note },
  };
}

function answerShown(estimate: BillingEstimate, { today, timeZone, typed }: Opened): AnswerShown {
  const { arBillingStatus: status, dueDate: expirationDate, rowVersion: version, answeredBy, answeredAt } = estimate;
  const by = answeredAt === null ? '' : ` by ${answeredBy} on ${momentIn(timeZone, new Date(answeredAt))}`;
  const fault = typed?.fault;
  if (status === DECLINED) return { says: `Declined${by}`, isGood: false, fault };
  if (status === ACCEPTED || status === INVOICED) return { says: `Accepted${by}`, isGood: true, fault };
  const closed = answerFault({ status, expirationDate, rowVersion: version }, version, today);
  if (closed !== undefined) return { says: closed, isGood: false, fault: undefined };
  return { version, name: typed?.name ?? '', note: typed?.note ?? '', fault };
}
