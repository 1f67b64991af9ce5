import { type BankRule, type BankRuleInput } from '@evenkeel/contract/bankRules';
import { type BankStatement, statementCalls as calls } from '@evenkeel/contract/statements';
import type { CallInput } from '@evenkeel/contract/request';
import { formatDate } from '@evenkeel/core/dates';
import { NOTHING } from '@evenkeel/core/nothing';
import { ask } from '../../../client/api.ts';
import { listedRecords } from '../../../records/records.ts';

/** The API calls for statements, bank transactions, and rules that the banking screens share. */

export const reviewAccounts = ask(calls.reviewAccounts, {});

export const allStatements = ask(calls.listStatements, { query: {} });

export const contentsOf = (id: number) => ask(calls.statementContents, { params: { id } });

export type LinesQuery = CallInput<typeof calls.listBankLines>['query'];

export const bankLines = (query: LinesQuery) => ask(calls.listBankLines, { query });

export const candidatesFor = (id: number, q?: string) =>
  ask(calls.bankLineCandidates, { params: { id }, query: q === undefined ? {} : { q } });

/** The bank rules in the order in which they run. */
export const bankRules = listedRecords<BankRule, BankRuleInput>({
  words: { one: 'rule', many: 'rules', loadAll: 'Error Loading Rules', loadOne: 'Error Loading Rules' },
  idOf: (one) => one.id,
  list: () => ask(calls.listBankRules, {}),
  create: (body) => ask(calls.createBankRule, { body }),
  update: (id, body) => ask(calls.updateBankRule, { params: { id }, body }),
  remove: (id) => ask(calls.deleteBankRule, { params: { id } }),
});

/** Returns the dates that a statement covers. */
export function periodOf({ from, to }: Pick<BankStatement, 'from' | 'to'>): string {
  return from === null || to === null ? NOTHING : `${formatDate(from)} – ${formatDate(to)}`;
}
