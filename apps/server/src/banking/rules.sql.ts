import type { RuleLine, RuleTest } from '@evenkeel/core/matching/rules';
import { sql } from 'kysely';
import { COMPANY, type Runnable } from '../db/query.ts';
import { type RowOf, table } from '../db/table.ts';

/** Statements on rules and their lines. */

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
  lines: RuleLine[];
}

/** The rules in the order in which they are tried, or one of them. */
export function rulesSql(id?: number): Runnable<BankRuleRow> {
  return sql`
    select ${bankRules.columns('r')}, coalesce((
      select jsonb_agg(jsonb_build_object('accountId', l.account_id, 'percentHundredths', l.percent_hundredths,
        'profitCenterId', l.profit_center_id, 'locationId', l.location_id) order by l.line_no)
      from bank_rule_line l where l.company_id = ${COMPANY} and l.rule_id = r.id), '[]') as lines
    from bank_rule r
    where r.company_id = ${COMPANY} ${id === undefined ? sql`` : sql`and r.id = ${id}`}
    order by r.position, r.id`;
}
