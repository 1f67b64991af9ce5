import type { LineState } from '@evenkeel/contract/bankRules';
import type { DateRange, IsoDate } from '@evenkeel/core/dates';
import type { RuleLine, RuleTest } from '@evenkeel/core/banking/matching/rules';
import type { Cents } from '@evenkeel/core/money';
import { sql } from 'kysely';
import { COMPANY, type Runnable } from '../../platform/db/query.ts';
import { type RowOf, table } from '../../platform/db/table.ts';

/** SQL statements for bank rules and their lines. */

export const bankRules = table('bank_rule', {
  id: 'id',
  name: 'name',
  position: 'position',
  active: 'active',
  bankAccountId: 'bank_account_id',
  direction: 'direction',
  operator: 'operator',
  text: 'text',
  from: 'from_cents',
  to: 'to_cents',
  entityId: 'entity_id',
  memo: 'memo',
  posts: 'posts',
  rowVersion: 'row_version',
}).typed<Pick<RuleTest, 'direction' | 'operator'>>();
export type BankRuleHead = RowOf<typeof bankRules>;

export const bankRuleLines = table('bank_rule_line', {
  ruleId: 'rule_id',
  lineNo: 'line_no',
  accountId: 'account_id',
  percentHundredths: 'percent_hundredths',
  profitCenterId: 'profit_center_id',
  locationId: 'location_id',
});

export interface BankRuleRow extends BankRuleHead {
  entityName: string;
  lines: RuleLine[];
}

/** Returns all rules in the order in which they run, or only one rule. */
export function rulesSql(id?: number): Runnable<BankRuleRow> {
  return sql`
    select ${bankRules.columns('r')}, coalesce((
      select e.displayname from entity e where e.company_id = ${COMPANY} and e.id = r.entity_id), '') as "entityName",
      coalesce((
      select jsonb_agg(jsonb_build_object('accountId', l.account_id, 'percentHundredths', l.percent_hundredths,
        'profitCenterId', l.profit_center_id, 'locationId', l.location_id) order by l.line_no)
      from bank_rule_line l where l.company_id = ${COMPANY} and l.rule_id = r.id), '[]') as lines
    from bank_rule r
    where r.company_id = ${COMPANY} ${id === undefined ? sql`` : sql`and r.id = ${id}`}
    order by r.position, r.id`;
}

/**
 * Returns the bank transactions in a preview: those for review and those categorized by an "add" action. Rules don't
 * change matched bank transactions.
 */
export function rehearsedLines({ from, to }: DateRange): Runnable<RehearsedRow> {
  return sql`
    select l.id, l.bank_account_id as "bankAccountId", l.line_date as date, l.amount_cents as amount, l.text, l.state
    from bank_line l
    where l.company_id = ${COMPANY} and l.line_date between ${from} and ${to} and l.state in ('review', 'added')
    order by l.line_date desc, l.id desc`;
}

interface RehearsedRow {
  id: number;
  bankAccountId: number;
  date: IsoDate;
  amount: Cents;
  text: string;
  state: LineState;
}

/**
 * Returns the accounts that categorized bank transactions are posted to now, with the amounts. The bank account is not
 * included.
 */
export function bookedNow(lineIds: readonly number[]): Runnable<{ lineId: number; accountId: number; amount: Cents }> {
  return sql`
    select l.id as "lineId", o.account_id as "accountId", o.amount_cents as amount
    from bank_line l
    join bank_act a on a.company_id = ${COMPANY} and a.id = l.act_id and a.kind = 'add'
    join journal_transaction t
      on t.company_id = ${COMPANY} and t.source_type = a.source_type and t.source_id = a.source_id
    join journal_line o
      on o.company_id = ${COMPANY} and o.transaction_id = t.id and o.reverses is null and o.basis <> 'C'
    join banking_account b on b.company_id = ${COMPANY} and b.id = l.bank_account_id
    where l.company_id = ${COMPANY} and l.id = any(${lineIds}::bigint[]) and o.account_id <> b.gl_account_id
    order by l.id, o.id`;
}
