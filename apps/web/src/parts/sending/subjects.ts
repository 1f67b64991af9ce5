import { type Sending, sendingCalls, type SendInput } from '@evenkeel/contract/sending';
import { type Ask, ask } from '../../client/api.ts';

/** Something that can be sent: its call, and its name in the request. */
export interface SendSubject {
  asked: Ask<Sending>;
  body: Pick<SendInput, 'invoiceId' | 'paymentId' | 'customerId'>;
  /** On its button. */
  label: string;
}

export const invoiceSubject = (id: number): SendSubject => ({
  asked: ask(sendingCalls.invoiceSending, { params: { id } }),
  body: { invoiceId: id },
  label: 'Send Invoice',
});

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
