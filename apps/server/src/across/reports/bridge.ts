import { accountTypeInfo, isProfitAndLoss } from '@evenkeel/core/books/accounts';
import type { DateRange } from '@evenkeel/core/dates';
import { bridgeReport, type OneBasisAmount } from '@evenkeel/core/reports/bridge';
import type { Report } from '@evenkeel/core/reports/report';
import { sql } from 'kysely';
import { amountsBetween, type Known, ofKnown } from '../../books/ledger/balances.sql.ts';
import { COMPANY, type Runnable } from '../../platform/db/query.ts';
import { knownOf, type Running, scopeOf } from './books.ts';

/** Compares a period's profit and loss on both bases, and lists the reasons for the difference by account. */
export async function runBridge({ ctx: { tx }, books, context }: Running): Promise<Report> {
  const range = { from: context.from ?? context.fiscalYearStart, to: context.asOf };
  const scope = { ...scopeOf(context), ...range };
  const accountIds = books.accounts
    .filter(({ type, contra }) => isProfitAndLoss(accountTypeInfo(type, contra)))
    .map(({ id }) => id);
  const [cash, accrual, oneBasis, taxed] = await Promise.all([
    tx.rows(amountsBetween({ ...scope, basis: 'cash' })),
    tx.rows(amountsBetween({ ...scope, basis: 'accrual' })),
    tx.rows(oneBasisSql({ accountIds, ...range, ...knownOf(context.known) })),
    tx.rows(taxAccountsSql()),
  ]);
  return bridgeReport({ cash, accrual, oneBasis, taxAccountIds: taxed.map(({ id }) => id) }, books.accounts, context);
}

/** Returns the totals of the lines on only one basis, by account and kind of document. */
function oneBasisSql({ accountIds, from, to, ...known }: { accountIds: readonly number[] } & DateRange & Known) {
  return sql<OneBasisAmount>`
    select l.account_id as "accountId", t.source_type as source, l.basis, sum(l.amount_cents)::bigint as amount
    from journal_line l
    join journal_transaction t on t.company_id = ${COMPANY} and t.id = l.transaction_id
    where l.company_id = ${COMPANY} and l.account_id = any(${accountIds}::bigint[]) and l.basis <> 'B'
      and l.posting_date between ${from} and ${to}${ofKnown(known)}
    group by 1, 2, 3`;
}

/** Returns the accounts to which sales tax is posted. */
function taxAccountsSql(): Runnable<{ id: number }> {
  return sql<{ id: number }>`
    select distinct s.gl_account_id as id from sales_tax_scenario s where s.company_id = ${COMPANY}`;
}
