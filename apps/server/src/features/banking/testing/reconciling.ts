import { ledgerCalls } from '@evenkeel/contract/ledger';
import { reconciliationCalls as calls } from '@evenkeel/contract/reconciliation';
import { sql } from 'kysely';
import { expect } from 'vitest';
import { verifyCompany } from '../../../across/health/books-verify.ts';
import type { RawAnswer, TestApp } from '../../../testing/app.ts';
import { requestOf } from '../../../testing/app.ts';
import { checkingOf } from '../../../testing/factories.ts';
import type { Person, WorldCompany } from '../../../testing/world.ts';

/** Amounts in dollars, as in the API. */
export interface StatementGiven {
  entries?: readonly number[];
  statementDate?: string;
  statementBalance: number;
  bankCharge?: number;
  bankChargeAccountID?: number;
  interest?: number;
  interestAccountID?: number;
  bankAccountID?: number;
  documentLinks?: readonly { documentId: number }[];
  closingOverrideReason?: string;
}

export const BANK_CHARGES = 151;
export const INTEREST_INCOME = 176;

/** Reconciles a company's Checking account over HTTP, signed in as one of the company's users. */
export function reconcilerOf(t: TestApp, company: WorldCompany, person: Person = company.bookkeeper) {
  const { token } = person;
  const bank = () => checkingOf(t, company.companyId);
  const bodyOf = async ({ entries = [], statementDate = '2026-05-31', ...given }: StatementGiven) => {
    return { bankAccountID: await bank(), incomingEntries: entries, statementDate, ...given };
  };
  return {
    token,
    bank,
    /** Posts a journal entry in dollars. Returns the line in the first account. */
    entry: async (postingDate: string, accounts: [debit: number, credit: number], amount: number, of = 101) => {
      const generalLedgerEntries = accounts.map((accountID, index) => {
        return { accountID, debit: index === 0, amount, description: 'Entry', postingDate };
      });
      const body = { transactionID: 0, generalLedgerEntries };
      const posted = await t.call(ledgerCalls.postTransaction, { token, body });
      const line = posted.generalLedgerEntries.find(({ accountID }) => accountID === of);
      if (line === undefined) throw new Error(`the entry has no line on ${of}`);
      return { transactionID: posted.transactionID, glid: line.glid };
    },
    open: (glAccountId = 101, query: { statementDate?: string } = {}) =>
      t.call(calls.unreconciledEntries, { token, params: { glAccountId }, query }),
    reconcile: async (given: StatementGiven) =>
      t.call(calls.createReconciliation, { token, body: await bodyOf(given) }),
    refused: async (given: StatementGiven) =>
      t.refused(calls.createReconciliation, { token, body: await bodyOf(given) }),
    tryTo: async (given: StatementGiven): Promise<RawAnswer> =>
      t.request({ ...requestOf(calls.createReconciliation, { body: await bodyOf(given) }), token }),
    get: (id: number) => t.call(calls.getReconciliation, { token, params: { id } }),
    list: async () => t.call(calls.listReconciliations, { token, params: { bankAccountId: await bank() } }),
    remove: (id: number) => t.call(calls.deleteReconciliation, { token, params: { id }, query: {} }),
    tryToRemove: (id: number): Promise<RawAnswer> =>
      t.request({ ...requestOf(calls.deleteReconciliation, { params: { id } }), token }),
    progress: async () => t.call(calls.getReconciliationProgress, { token, params: { bankAccountId: await bank() } }),
  };
}

export type Reconciler = ReturnType<typeof reconcilerOf>;

/** Fails unless all checks for the company's books pass, including those for reconciliation marks. */
export async function expectSound(t: TestApp, { companyId }: Pick<WorldCompany, 'companyId'>): Promise<void> {
  expect((await verifyCompany(t.pool, companyId)).faults).toEqual([]);
}

/**
 * Returns the balance on each account's last statement, and the sum of the lines cleared by all of the account's
 * statements.
 */
export async function provedBalances(t: TestApp, companyId: number) {
  return t.inCompany(companyId, (tx) =>
    tx.rows(sql<{ bank: number; last: number; proved: number }>`
      select b.id as bank, (
          select coalesce((array_agg(r.statement_cents order by r.statement_date desc))[1], 0) from reconciliation r
          where r.company_id = b.company_id and r.bank_account_id = b.id)::bigint as last, (
          select coalesce(sum(l.amount_cents), 0) from reconciliation_line m
          join reconciliation r on r.company_id = m.company_id and r.id = m.reconciliation_id
          join journal_line l on l.company_id = m.company_id and l.id = m.line_id
          where m.company_id = b.company_id and r.bank_account_id = b.id)::bigint as proved
      from banking_account b where b.company_id = ${companyId} order by b.id`),
  );
}
