import type { JournalEntryInput, PostedTransaction } from '@evenkeel/contract/ledger';
import { scheduledJournalCalls } from '@evenkeel/contract/scheduled';
import type { IsoDate } from '@evenkeel/core/dates';
import { scheduleFrom } from '@evenkeel/core/documents/schedule';
import { documentKinds } from '@evenkeel/core/documents/side';
import * as z from 'zod';
import {
  type ScheduleForm,
  scheduleFields,
  scheduleFormOf,
  SCHEDULE_STARTS,
  type TemplateDocument,
  templateRecords,
} from '../../parts/scheduled/templates.ts';

/** Recurring journal entries: posted entries that have a schedule. */

export const SCHEDULED_JOURNALS = templateRecords<PostedTransaction, JournalEntryInput>(scheduledJournalCalls, {
  source: documentKinds.journal.source,
  noun: 'journal entry',
  many: 'journal entries',
});

export const JournalTemplateForm = z.object({ ...scheduleFields, rowVersion: z.number().nullable() });
export type JournalTemplateForm = ScheduleForm & { rowVersion: number | null };

/** Returns the form for a saved template. A new template is named after its entry and repeats monthly from today. */
export function templateFormOf(
  saved: TemplateDocument<PostedTransaction> | undefined,
  { today, entry }: { today: IsoDate; entry: PostedTransaction },
): JournalTemplateForm {
  if (saved !== undefined) return { ...scheduleFormOf(saved), rowVersion: saved.rowVersion };
  return { ...SCHEDULE_STARTS, name: entry.description, schedule: scheduleFrom(today), rowVersion: null };
}

/** The accounting bases that a line can be limited to. */
const ACCRUAL = 1;
const CASH = 2;

/** Returns the request that posts the entry again, without the data that only posted lines have. */
export function entryAgain(entry: PostedTransaction): JournalEntryInput {
  const bases = new Set(entry.generalLedgerEntries.map(({ basis }) => basis));
  const [basis = 0] = bases;
  // Cash-only lines are derived from the other lines, so they are created again.
  const isSplit = bases.has(ACCRUAL) && bases.has(CASH);
  const lines = entry.generalLedgerEntries.filter((line) => !isSplit || line.basis !== CASH);
  return {
    entityID: entry.entityID,
    basis: bases.size === 1 ? basis : 0,
    generalLedgerEntries: lines.map((line) => ({
      accountID: line.accountID,
      debit: line.debitAmount !== null,
      amount: line.debitAmount ?? line.creditAmount,
      description: line.description,
      profitcenterid: line.profitcenterid,
      locationid: line.locationid,
      entityId: line.entityId,
    })),
  };
}
