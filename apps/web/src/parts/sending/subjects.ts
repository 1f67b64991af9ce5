import type { ReportRequest } from '@evenkeel/contract/figures';
import {
  type Sending,
  type SendInput,
  type SendResult,
  type SentCalls,
  sendingCalls,
} from '@evenkeel/contract/sending';
import { kinds } from '@evenkeel/core/documents/side';
import type { DocumentMail } from '@evenkeel/core/kinds/kind';
import type { SentField } from '@evenkeel/core/words/mailtext';
import { type Ask, ask } from '../../client/api.ts';
import { titled } from '../documents/side.ts';

/** A record that can be sent: its call, and the field for its ID in the request. */
export interface SendSubject {
  asked: Ask<Sending>;
  body: Partial<Record<SentField | 'customerId', number>> & { isReminder?: boolean; isPortal?: boolean };
  /** The call that sends the email, if it is not the one for documents and customers. */
  sends?: (input: SendInput) => Ask<Sending | SendResult[]>;
  /** The label of the button that opens the email. */
  label: string;
}

/** A kind of document that is sent, with its calls. */
export interface SentSource {
  kind: { mail: DocumentMail };
  calls: SentCalls;
}

export const documentSubject = ({ kind: { mail }, calls }: SentSource, id: number): SendSubject => ({
  asked: ask(calls.sending, { params: { id } }),
  body: { [mail.id]: id },
  label: `Send ${titled(mail.label)}`,
});

/** A reminder about an overdue invoice that a user sends manually. */
export const reminderSubject = (invoiceId: number): SendSubject => ({
  asked: ask(sendingCalls.reminderSending, { params: { id: invoiceId } }),
  body: { invoiceId, isReminder: true },
  label: 'Send Reminder',
});

/** Returns the name of the page that the private links of a kind open. Undefined for a kind without links. */
export const linkedNoun = (kind: string): string | undefined => (kind === 'portal' ? PORTAL : linkedDocument(kind));

/** Emails about a customer instead of a document link to the customer's portal. */
export const PORTAL = 'customer portal';

const linkedDocument = (kind: string): string | undefined =>
  [...kinds.values()].find(({ mail }) => mail?.kind === kind && mail.hasLink)?.label.toLowerCase();

export const statementSubject = (customerId: number): SendSubject => ({
  asked: ask(sendingCalls.statementSending, { params: { customerId }, query: {} }),
  body: { customerId },
  label: 'Send Statement',
});

/** A report with the parameters that it was run with. */
export const reportSubject = (reportId: number, request: ReportRequest): SendSubject => ({
  asked: ask(sendingCalls.reportSending, { params: { reportId }, body: request }),
  body: {},
  sends: ({ to, cc, subject, text, documentLinks }) => {
    const body = { ...request, to: to ?? [], cc, subject, text, documentLinks };
    return ask(sendingCalls.emailReport, { params: { reportId }, body });
  },
  label: 'Email Report',
});

/** The link to the customer portal, for one customer. */
export const portalSubject = (customerId: number): SendSubject => ({
  asked: ask(sendingCalls.portalSending, { params: { customerId } }),
  body: { customerId, isPortal: true },
  label: 'Send Portal Link',
});
