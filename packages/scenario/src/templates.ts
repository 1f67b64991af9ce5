import { movedAlong, scheduledDates, scheduleFrom } from '@evenkeel/core/documents/schedule';
import type { Schedule } from '@evenkeel/core/documents/schedule';
import type { IsoDate } from '@evenkeel/core/dates';
import type { BillEvent, InvoiceEvent, JournalEvent, TemplateEvent } from './scenario.ts';

type Document = TemplateEvent['document'];

const startOf = (document: Document): IsoDate =>
  document.kind === 'invoice' ? document.invoiceDate : document.postingDate;

/** Returns the schedule for a template. It starts on the first document's date and has the given number of dates. */
export function scheduleOf({ unit, every, count, document }: TemplateEvent): Schedule {
  return { ...scheduleFrom(startOf(document)), unit, every, end: { kind: 'after', count } };
}

/** Returns the documents that a template creates, each with its own date and name. */
export function documentsOf(template: TemplateEvent): Document[] {
  const schedule = scheduleOf(template);
  const from = startOf(template.document);
  return scheduledDates(schedule, template.count).map((to, at) => {
    const moved = (due: IsoDate | null) => due && movedAlong(schedule, due, { from, to });
    return datedAt(template.document, `.${at + 1}`, { to, moved });
  });
}

function datedAt(
  document: Document,
  suffix: string,
  { to, moved }: { to: IsoDate; moved: (due: IsoDate | null) => IsoDate | null },
): InvoiceEvent | BillEvent | JournalEvent {
  switch (document.kind) {
    case 'invoice':
      return {
        ...document,
        key: `${document.key}${suffix}`,
        invoiceDate: to,
        dueDate: moved(document.dueDate),
      };
    case 'bill':
      return { ...document, key: `${document.key}${suffix}`, postingDate: to, dueDate: moved(document.dueDate) };
    case 'journal':
      return { ...document, description: `${document.description}${suffix}`, postingDate: to };
  }
}
