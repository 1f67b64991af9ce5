import * as z from 'zod';
import { DocumentLink, documentLinksInput } from './attachments.ts';
import { endpoint } from './endpoint.ts';
import { DateField, Done, Id, IdText, maybe, Moment, RowVersion, text, Usd } from './fields.ts';
import { GlEntry } from './ledger.ts';
import { ReportData } from './reports.ts';

/**
 * Reconciliations of bank accounts with their statements. A credit card uses the same formula: a card with 310.00 owed
 * has a balance of -310.
 */

/**
 * The entries in a bank account's GL account. Debits are money in, and credits are money out. Both have positive
 * amounts.
 */
const entries = { incomingEntries: z.array(GlEntry), outgoingEntries: z.array(GlEntry) };

export const UnreconciledEntries = z.object({
  ...entries,
  /** The date of the last reconciliation. Null before the first reconciliation. */
  mostRecentReconDate: DateField.nullable(),
  bankAccountID: Id,
  /** The balance of the last statement, or 0 before the first reconciliation. */
  lastBalance: Usd,
});
export type UnreconciledEntries = z.output<typeof UnreconciledEntries>;

/** A reconciliation in an account's list. */
export const ReconciliationRow = z.object({
  reconciliationID: Id,
  bankAccountID: Id,
  /** The number of this reconciliation in the account, starting with 1. */
  number: z.number().int(),
  /** The date of the statement. */
  reconciliationDate: DateField,
  statementBalance: Usd,
  bankCharge: Usd,
  interest: Usd,
  /** Whether this is the account's newest reconciliation. */
  isDeletable: z.boolean(),
  /** The number of selected entries, not including the entries for the charge and interest. */
  entryCount: z.number().int(),
  /** The user who saved the reconciliation, and the time when it was saved. */
  savedBy: z.string(),
  savedAt: Moment,
});
export type ReconciliationRow = z.output<typeof ReconciliationRow>;

/** A reconciliation with the current values of the selected entries. The charge and interest are separate. */
export const Reconciliation = ReconciliationRow.extend({
  ...entries,
  /** The GL account. */
  accountID: Id,
  /** The date of the previous statement. Null for the first statement. */
  mostRecentReconDate: DateField.nullable(),
  lastBalance: Usd,
  bankChargeAccountID: Id.nullable(),
  interestAccountID: Id.nullable(),
  documentLinks: z.array(DocumentLink),
});
export type Reconciliation = z.output<typeof Reconciliation>;

/** The selected entries, either complete or only their `glid` values. */
const Selected = z.array(z.union([Id, z.object({ glid: Id })])).max(20_000);

export const ReconciliationInput = z.object({
  incomingEntries: maybe(Selected),
  outgoingEntries: maybe(Selected),
  accountID: maybe(Id),
  bankAccountID: maybe(Id),
  statementDate: DateField,
  statementBalance: Usd,
  bankCharge: maybe(Usd),
  bankChargeAccountID: maybe(Id),
  interest: maybe(Usd),
  interestAccountID: maybe(Id),
  /** The reconciled balance that the form shows. The server calculates the balance itself. */
  reconAmount: maybe(Usd),
  documentLinks: documentLinksInput,
  /** An administrator's reason for posting the charge and interest on or before the closing date. */
  closingOverrideReason: maybe(text(500)),
});
export type ReconciliationInput = z.output<typeof ReconciliationInput>;

/** A reconciliation in progress, at most one per account, with the user who has it open. */
export const ReconciliationProgress = z.object({
  bankAccountID: Id,
  statementDate: DateField.nullable(),
  statementBalance: Usd.nullable(),
  bankCharge: Usd,
  bankChargeAccountID: Id.nullable(),
  interest: Usd,
  interestAccountID: Id.nullable(),
  /** The selected entries by `glid`. Entries that have since been reconciled or reversed are omitted. */
  entries: z.array(Id),
  documentLinks: z.array(DocumentLink),
  /** The user who last saved the reconciliation in progress. Empty if there is none. */
  openedBy: z.string(),
  /** Whether the caller last saved the reconciliation in progress. */
  isOwn: z.boolean(),
  /** The time when the reconciliation in progress was last saved. Null if there is none. */
  savedAt: Moment.nullable(),
  /** The row version, or 0 if no reconciliation is in progress. */
  rowVersion: RowVersion,
});
export type ReconciliationProgress = z.output<typeof ReconciliationProgress>;

export const ReconciliationProgressInput = z.object({
  statementDate: maybe(DateField),
  statementBalance: maybe(Usd),
  bankCharge: maybe(Usd),
  bankChargeAccountID: maybe(Id),
  interest: maybe(Usd),
  interestAccountID: maybe(Id),
  entries: z.array(Id).max(20_000),
  documentLinks: documentLinksInput,
  /**
   * The version that the client has read, or 0 to start a reconciliation. The call rejects any other version as
   * outdated, because someone else is working on the reconciliation.
   */
  rowVersion: RowVersion,
});
export type ReconciliationProgressInput = z.output<typeof ReconciliationProgressInput>;

export const reconciliationCalls = {
  unreconciledEntries: endpoint({
    method: 'GET',
    path: '/Reconciliation/GetUnreconciledEntries/{glAccountId}',
    needs: 'View Banking',
    summary: "Lists a GL account's unreconciled entries. Set `statementDate` to exclude later entries.",
    params: z.object({ glAccountId: IdText }),
    query: z.object({ statementDate: DateField.optional() }),
    reply: UnreconciledEntries,
  }),
  createReconciliation: endpoint({
    method: 'POST',
    path: '/Reconciliation',
    needs: 'Manage Banking',
    summary: 'Reconciles the selected entries with a statement and posts its bank charge and interest.',
    body: ReconciliationInput,
    reply: Reconciliation,
  }),
  getReconciliation: endpoint({
    method: 'GET',
    path: '/reconciliation/GetSingleReconciliation/{id}',
    needs: 'View Banking',
    summary: 'Returns a reconciliation with its entries.',
    params: z.object({ id: IdText }),
    reply: Reconciliation,
  }),
  listReconciliations: endpoint({
    method: 'GET',
    path: '/reconciliation/{bankAccountId}',
    needs: 'View Banking',
    summary: "Lists a bank account's reconciliations, newest first.",
    params: z.object({ bankAccountId: IdText }),
    reply: z.array(ReconciliationRow),
  }),
  deleteReconciliation: endpoint({
    method: 'DELETE',
    path: '/reconciliation/{id}',
    needs: 'Manage Banking',
    summary:
      "Deletes an account's latest reconciliation, marks its entries as unreconciled, and reverses its bank charge " +
      'and interest.',
    params: z.object({ id: IdText }),
    query: z.object({ closingOverrideReason: text(500).optional() }),
    reply: Done,
  }),
  reconciliationReport: endpoint({
    method: 'GET',
    path: '/reconciliation/{id}/report',
    needs: 'View Banking',
    summary:
      'Returns a reconciliation report: last balance, cleared entries, charge, interest, and outstanding entries.',
    params: z.object({ id: IdText }),
    reply: ReportData,
  }),
  reconciliationReportPdf: endpoint({
    method: 'GET',
    path: '/reconciliation/{id}/report/pdf',
    needs: 'View Banking',
    summary: 'Returns a reconciliation report as a PDF (landscape letter).',
    params: z.object({ id: IdText }),
    reply: 'application/pdf',
  }),
  getReconciliationProgress: endpoint({
    method: 'GET',
    path: '/reconciliation/progress/{bankAccountId}',
    needs: 'View Banking',
    summary: "Returns an account's reconciliation in progress and who saved it.",
    params: z.object({ bankAccountId: IdText }),
    reply: ReconciliationProgress,
  }),
  saveReconciliationProgress: endpoint({
    method: 'PUT',
    path: '/reconciliation/progress/{bankAccountId}',
    needs: 'Manage Banking',
    summary:
      "Saves a reconciliation in progress. To take over another user's reconciliation, send its current `rowVersion`.",
    params: z.object({ bankAccountId: IdText }),
    body: ReconciliationProgressInput,
    reply: ReconciliationProgress,
  }),
  deleteReconciliationProgress: endpoint({
    method: 'DELETE',
    path: '/reconciliation/progress/{bankAccountId}',
    needs: 'Manage Banking',
    summary: 'Deletes a reconciliation in progress.',
    params: z.object({ bankAccountId: IdText }),
    query: z.object({ rowVersion: IdText.optional() }),
    reply: Done,
  }),
};
