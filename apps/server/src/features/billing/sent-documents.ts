import { sentCredits } from './credit-sent.ts';
import { sentEstimates } from './estimate-sent.ts';
import { sentInvoices } from './invoice-sent.ts';
import type { SentDocument } from './sent.ts';

/**
 * The kinds of documents that can be sent. Adding a kind here lets users email it and share it through a private link.
 */
export const sentDocuments: SentDocument[] = [sentInvoices, sentEstimates, sentCredits];
