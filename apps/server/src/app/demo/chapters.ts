import type { IsoDate } from '@evenkeel/core/dates';
import type {
  ApplyEvent,
  BillEvent,
  BillPaymentEvent,
  InvoiceEvent,
  JournalEvent,
  PaymentEvent,
  StoryEvent,
  VoidEvent,
} from './story.ts';

/**
 * Events that are written together, one kind after another: first new records, then their payments, and finally a
 * change to a single record.
 */
export interface Chapter {
  invoices: InvoiceEvent[];
  bills: BillEvent[];
  journals: JournalEvent[];
  payments: PaymentEvent[];
  billPayments: BillPaymentEvent[];
  change?: ApplyEvent | VoidEvent;
  /** The date of the last event. */
  last: IsoDate;
}

/** The maximum number of events, which limits the memory that one batch uses. */
const MOST_EVENTS = 200;

/**
 * Splits a story into chapters. A chapter ends with a change, so that the change sees the records before it and later
 * events see the change. Records of one kind keep their order and therefore their numbers.
 */
export function chaptersOf(story: readonly StoryEvent[]): Chapter[] {
  const chapters: Chapter[] = [];
  let events = 0;
  for (const event of story) {
    let chapter = chapters.at(-1);
    if (chapter === undefined || chapter.change !== undefined || events === MOST_EVENTS) {
      chapter = { invoices: [], bills: [], journals: [], payments: [], billPayments: [], last: event.date };
      chapters.push(chapter);
      events = 0;
    }
    add(chapter, event);
    events += 1;
  }
  return chapters;
}

function add(chapter: Chapter, event: StoryEvent): void {
  chapter.last = event.date;
  switch (event.kind) {
    case 'invoice':
      chapter.invoices.push(event);
      break;
    case 'bill':
      chapter.bills.push(event);
      break;
    case 'journal':
      chapter.journals.push(event);
      break;
    case 'payment':
      chapter.payments.push(event);
      break;
    case 'billpayment':
      chapter.billPayments.push(event);
      break;
    case 'apply':
    case 'void':
      chapter.change = event;
  }
}
