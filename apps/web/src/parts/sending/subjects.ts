import { type Sending, sendingCalls, type SendInput } from '@evenkeel/contract/sending';
import type { MailKind } from '@evenkeel/core/words/mailtext';
import { type Ask, ask } from '../../client/api.ts';

/** A record that can be sent: its API call, and its name in the request. */
export interface SendSubject {
  asked: Ask<Sending>;
  body: Pick<SendInput, 'invoiceId' | 'estimateId' | 'creditId' | 'paymentId' | 'customerId'>;
  /** The label of its button. */
  label: string;
}

export const invoiceSubject = (id: number): SendSubject => ({
  asked: ask(sendingCalls.invoiceSending, { params: { id } }),
  body: { invoiceId: id },
  label: 'Send Invoice',
});

export const estimateSubject = (id: number): SendSubject => ({
  asked: ask(sendingCalls.estimateSending, { params: { id } }),
  body: { estimateId: id },
  label: 'Send Estimate',
});

export const creditSubject = (id: number): SendSubject => ({
  asked: ask(sendingCalls.creditSending, { params: { id } }),
  body: { creditId: id },
  label: 'Send Credit Memo',
});

/** The email types that have a private link, with the document's name. */
export const LINKED: Partial<Record<MailKind, string>> = {
  invoice: 'invoice',
  estimate: 'estimate',
  creditmemo: 'credit memo',
};

export const receiptSubject = (id: number): SendSubject => ({
  asked: ask(sendingCalls.receiptSending, { params: { id } }),
  body: { paymentId: id },
  label: 'Send Receipt',
});

export const statementSubject = (customerId: number): SendSubject => ({
  asked: ask(sendingCalls.statementSending, { params: { customerId }, query: {} }),
  body: { customerId },
  label: 'Send Statement',
});
