import type { OnBothBases, Rehearsal } from '@evenkeel/contract/rehearsal';
import {
  accountLabel,
  accountTypeInfo,
  isControlAccount,
  isProfitAndLoss,
  naturalAmount,
} from '@evenkeel/core/books/accounts';
import type { Basis, Chained, ChainedLine, ReportBasis } from '@evenkeel/core/books/ledger';
import { fiscalYearStart, type IsoDate } from '@evenkeel/core/dates';
import { documentKinds, PAYABLE, RECEIVABLE } from '@evenkeel/core/documents/side';
import { type Cents, cents, negate, sum, ZERO } from '@evenkeel/core/money';
import { sql } from 'kysely';
import { COMPANY, type Runnable } from '../../platform/db/query.ts';
import type { Ctx } from '../../platform/http/context.ts';
import type { Describe } from '../../platform/http/rehearsal.ts';
import { holds } from '../../platform/http/session.ts';
import { companySettings } from '../company-settings.ts';
import { type AccountRow, accountsSql } from './accounts.sql.ts';
import { balancesAt } from './balances.sql.ts';
import { duplicatesOf } from './duplicates.sql.ts';
import { type Watched, watchPosting } from './journal.ts';
import { owedSql } from './owed.sql.ts';

const BASES: Record<Basis, Rehearsal['transactions'][number]['lines'][number]['basis']> = {
  B: 'both',
  A: 'accrual',
  C: 'cash',
};

/**
 * Starts to record a transaction's postings. The returned function describes their effects before the transaction ends.
 * Each amount before the change is calculated as the amount after the change less the transaction's own lines, so other
 * requests can't affect the result.
 */
export const describePosting: Describe = (ctx) => {
  const seen = watchPosting(ctx.tx);
  return () => effectsOf(ctx, seen);
};

/** An account and its balances after the change. The balances have their natural sign. */
interface Balance {
  account: AccountRow;
  after: Record<ReportBasis, Cents>;
}

async function effectsOf(ctx: Ctx, seen: Watched): Promise<Rehearsal> {
  // Constraints that are normally checked at commit are checked here, because there won't be a commit.
  const [, settings, accounts] = await Promise.all([
    ctx.tx.rows(sql`set constraints all immediate`),
    companySettings(ctx),
    ctx.tx.rows(accountsSql('every', true)),
  ]);
  const asOf = seen.transactions.reduce(
    (last, { postingDate }) => (postingDate > last ? postingDate : last),
    ctx.today,
  );
  const yearStart = fiscalYearStart(asOf, settings.fyStartMonth);
  const linesOf = (transactions: readonly Chained[]): Dated[] =>
    transactions.flatMap(({ lines: own, postingDate }) => own.map((line) => ({ ...line, postingDate })));
  const lines = linesOf(seen.transactions);
  const byId = new Map(accounts.map((account) => [account.id, account]));
  const labelOf = (id: number): string => {
    const account = byId.get(id);
    return account === undefined ? `Account ${id}` : accountLabel(account, settings.useAccountNumbers);
  };
  // A change to an earlier document reverses that document's lines.
  const added = seen.transactions.filter(({ lines: own }) => own.every(({ reverses }) => reverses === null));
  const [accrual, cash, entities, duplicates] = await Promise.all([
    ctx.tx.rows(balancesAt({ basis: 'accrual', date: asOf, fiscalYearStart: yearStart })),
    ctx.tx.rows(balancesAt({ basis: 'cash', date: asOf, fiscalYearStart: yearStart })),
    entitiesOf(
      ctx,
      linesOf(seen.transactions.filter(({ sourceType }) => sourceType !== documentKinds.journal.source)),
      byId,
    ),
    ctx.tx.rows(duplicatesOf(added.map(({ sourceType, sourceId }) => ({ type: sourceType, id: sourceId })))),
  ]);
  const stored = { accrual, cash };
  const balances = accounts.map((account): Balance => {
    const info = accountTypeInfo(account.type, account.contra);
    const after = (basis: ReportBasis): Cents => {
      const row = stored[basis].find(({ accountId }) => accountId === account.id);
      if (row === undefined) return ZERO;
      return naturalAmount(info, isProfitAndLoss(info) ? cents(row.toDate - row.beforeYear) : row.toDate);
    };
    return { account, after: { accrual: after('accrual'), cash: after('cash') } };
  });
  const changeOf = ({ account, after }: Balance): OnBothBases => {
    const info = accountTypeInfo(account.type, account.contra);
    const counts = ({ postingDate, accountId }: Dated): boolean =>
      accountId === account.id && (!isProfitAndLoss(info) || postingDate >= yearStart);
    const own = lines.filter(counts);
    const change = (basis: ReportBasis) => {
      const difference = naturalAmount(info, sum(own.filter(isIn(basis)).map(({ amount }) => amount)));
      return { before: cents(after[basis] - difference), after: after[basis] };
    };
    return { accrual: change('accrual'), cash: change('cash') };
  };
  const changes = balances.map((balance) => ({ balance, change: changeOf(balance) }));
  const incomes = changes.filter(({ balance: { account } }) => isProfitAndLoss(accountTypeInfo(account.type)));
  const netIncome = (basis: ReportBasis, moment: 'before' | 'after'): Cents =>
    sum(
      incomes.map(({ balance: { account }, change }) => {
        const amount = change[basis][moment];
        return accountTypeInfo(account.type).root === 'Income' ? amount : negate(amount);
      }),
    );
  const net = (basis: ReportBasis) => ({ before: netIncome(basis, 'before'), after: netIncome(basis, 'after') });
  // These permissions are also required to see the ledger entries of a document.
  if (!holds(ctx, 'View Accounting') && !holds(ctx, 'View Reports')) {
    return { transactions: [], asOf, accounts: [], entities, netIncome: null, duplicates, numbers: seen.numbers };
  }
  return {
    transactions: seen.transactions.map((transaction) => shown(transaction, labelOf, seen.closingDate)),
    asOf,
    accounts: changes
      .filter(({ change }) => [change.accrual, change.cash].some(({ before, after }) => before !== after))
      .map(({ balance: { account }, change }) => ({ accountId: account.id, account: labelOf(account.id), ...change })),
    entities,
    netIncome: { accrual: net('accrual'), cash: net('cash') },
    duplicates,
    numbers: seen.numbers,
  };
}

type Dated = ChainedLine & { postingDate: IsoDate };

const isIn =
  (basis: ReportBasis) =>
  (line: Dated): boolean =>
    line.basis !== (basis === 'accrual' ? 'C' : 'A');

function shown(
  { postingDate, description, lines }: Chained,
  labelOf: (id: number) => string,
  closingDate: IsoDate | null,
): Rehearsal['transactions'][number] {
  return {
    postingDate,
    description,
    closed: closingDate !== null && postingDate <= closingDate,
    lines: lines.map(({ accountId, amount, basis, description: text }) => ({
      accountId,
      account: labelOf(accountId),
      description: text,
      debit: amount > 0 ? amount : ZERO,
      credit: amount < 0 ? negate(amount) : ZERO,
      basis: BASES[basis],
    })),
  };
}

/**
 * Returns the customers and vendors whose open balance changes, with the balances that their pages show. `lines` are
 * the lines of documents and payments, because the open balance doesn't include journal entries.
 */
async function entitiesOf(
  { tx }: Ctx,
  lines: readonly Dated[],
  accounts: ReadonlyMap<number, AccountRow>,
): Promise<Rehearsal['entities']> {
  const isControl = (id: number): boolean => {
    const account = accounts.get(id);
    return account !== undefined && isControlAccount(accountTypeInfo(account.type, account.contra));
  };
  const own = lines
    .filter(({ entityId, accountId }) => entityId !== null && isControl(accountId))
    .filter(isIn('accrual'));
  const ids = [...new Set(own.map(({ entityId }) => Number(entityId)))];
  if (ids.length === 0) return [];
  const rows = await tx.rows(openBalances(ids));
  return rows.flatMap(({ entityId, name, sign, amount }) => {
    const difference = sum(own.filter((line) => line.entityId === entityId).map((line) => line.amount));
    const change = { before: cents(amount - sign * difference), after: amount };
    return difference === 0 ? [] : [{ entityId, name, ...change }];
  });
}

interface OpenBalance {
  entityId: number;
  name: string;
  /** 1 for a customer and −1 for a vendor, so that amounts owed are positive. */
  sign: number;
  amount: Cents;
}

/** Reads only open documents and unapplied payments. A customer may have tens of thousands of others. */
function openBalances(ids: readonly number[]): Runnable<OpenBalance> {
  const some = sql`any(${ids}::bigint[])`;
  return sql<OpenBalance>`
    select e.id as "entityId", e.displayname as name,
      case e.kind when ${PAYABLE.entityKind} then ${PAYABLE.sign}::int else ${RECEIVABLE.sign}::int end as sign,
      coalesce(r.balance, p.balance, 0)::bigint as amount
    from entity e
    left join (${owedSql(RECEIVABLE, some)}) r on r.entity_id = e.id
    left join (${owedSql(PAYABLE, some)}) p on p.entity_id = e.id
    where e.company_id = ${COMPANY} and e.id = any(${ids}::bigint[])
    order by lower(e.displayname), e.id`;
}
