import { sentCredits } from './credit-sent.ts';
import { sentEstimates } from './estimate-sent.ts';
import { sentInvoices } from './invoice-sent.ts';
import type { SentDocument } from './sent.ts';

/** The kinds of documents that are sent. A kind is sent, and opened through a private link, by its entry here. */
export const sentDocuments: SentDocument[] = [sentInvoices, sentEstimates, sentCredits];
