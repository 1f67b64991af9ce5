import { BankRule, type BankRuleInput, type Rehearsal } from '@evenkeel/contract/bankRules';
import { idOrNull } from '@evenkeel/contract/fields';
import { accountLabel, accountTypeInfo, isProfitAndLoss, naturalAmount } from '@evenkeel/core/books/accounts';
import { addMonths } from '@evenkeel/core/dates';
import { type FieldMessages, notFound, refuseFields } from '@evenkeel/core/failure';
import { checkRule, ruleFits, splitByRule } from '@evenkeel/core/banking/matching/rules';
import { type Cents, cents, decimal, negate, ZERO } from '@evenkeel/core/money';
import { sql } from 'kysely';
import { record, type Subject } from '../../platform/db/audit.ts';
import type { Ctx } from '../../platform/http/context.ts';
import { requireFresh } from '../../platform/http/fresh.ts';
import { accountsByIdSql } from '../../books/ledger/accounts.sql.ts';
import { referencesSql } from '../../books/ledger/journal-posting.ts';
import { settingsSql, toCompanySettings } from '../../books/company-settings.ts';
import { accountFault, inactive, noteFault, referenceFault } from '../../books/ledger/references.ts';
import { bankingAccounts } from './accounts.sql.ts';
import { bankRuleLines, bankRules, type BankRuleRow, bookedNow, rehearsedLines, rulesSql } from './rules.sql.ts';

const subject: Subject<typeof BankRule> = { name: 'bankrule', schema: BankRule, idOf: ({ id }) => id };

type StoredRule = Omit<BankRuleRow, 'entityName'> & Partial<Pick<BankRuleRow, 'entityName'>>;
type RuleFields = Omit<BankRuleRow, 'id' | 'name' | 'position' | 'active' | 'posts' | 'rowVersion' | 'entityName'>;
type FieldsInput = Pick<
  BankRuleInput,
  'bankAccountId' | 'direction' | 'operator' | 'text' | 'from' | 'to' | 'lines' | 'entityId' | 'memo'
>;

/** Returns the rules in the order in which they run. */
export async function listBankRules(ctx: Ctx): Promise<BankRule[]> {
  return (await ctx.tx.rows(rulesSql())).map(view);
}

/** Returns a rule in the format that its form uses, without the name of its customer or vendor. */
function view({ lines, entityName: _, ...rule }: StoredRule): BankRule {
  return {
    ...rule,
    lines: lines.map(({ accountId: accountID, percentHundredths, profitCenterId, locationId }) => {
      const percent = decimal(percentHundredths).div(100);
      return { accountID, percent, profitcenterid: profitCenterId, locationid: locationId };
    }),
  };
}

function fieldsOf(input: FieldsInput): RuleFields {
  return {
    bankAccountId: idOrNull(input.bankAccountId),
    direction: input.direction ?? 'both',
    operator: input.operator ?? 'contains',
    text: input.text ?? '',
    from: input.from ?? null,
    to: input.to ?? null,
    entityId: idOrNull(input.entityId),
    memo: input.memo ?? '',
    lines: input.lines.map(({ accountID, percent, profitcenterid, locationid }) => {
      const percentHundredths = Number(percent.times(10_000).div(100));
      return {
        accountId: accountID,
        percentHundredths,
        profitCenterId: idOrNull(profitcenterid),
        locationId: idOrNull(locationid),
      };
    }),
  };
}

/**
 * Throws 422 unless every record in a rule belongs to the company and is active. A stored rule can keep an inactive
 * record that it already has.
 */
async function requireReferences(ctx: Ctx, rule: RuleFields, before: BankRuleRow | undefined): Promise<void> {
  const ids = (all: readonly (number | null)[]) => all.flatMap((id) => (id === null ? [] : [id]));
  const [accounts, found, bank] = await Promise.all([
    ctx.tx.rows(accountsByIdSql(rule.lines.map(({ accountId }) => accountId))),
    ctx.tx.rows(
      referencesSql({
        profitCenterIds: ids(rule.lines.map(({ profitCenterId }) => profitCenterId)),
        locationIds: ids(rule.lines.map(({ locationId }) => locationId)),
        entityIds: ids([rule.entityId]),
      }),
    ),
    rule.bankAccountId === null ? undefined : ctx.tx.row(bankingAccounts.find({ id: rule.bankAccountId })),
  ]);
  const fields: FieldMessages = {};
  if (rule.bankAccountId !== null && bank?.active !== true && rule.bankAccountId !== before?.bankAccountId) {
    fields['bankAccountId'] = bank === undefined ? 'Please Select a Bank Account' : inactive('bank account');
  }
  const of = (kind: (typeof found)[number]['kind']) => found.filter((each) => each.kind === kind);
  noteFault(
    fields,
    'entityId',
    referenceFault('entity', of('entity'), { id: rule.entityId, before: before?.entityId }),
  );
  rule.lines.forEach(({ accountId, profitCenterId, locationId }, at) => {
    const stored = before?.lines.find((line) => line.accountId === accountId);
    const account = { id: accountId, before: stored?.accountId };
    const [center, place] = [
      { id: profitCenterId, before: stored?.profitCenterId },
      { id: locationId, before: stored?.locationId },
    ];
    noteFault(fields, `lines.${at}.accountID`, accountFault(accounts, account));
    noteFault(fields, `lines.${at}.profitcenterid`, referenceFault('profitCenter', of('profitCenter'), center));
    noteFault(fields, `lines.${at}.locationid`, referenceFault('location', of('location'), place));
  });
  refuseFields(fields);
}

/**
 * Creates a rule at the end or at its position, or saves the given rule. Throws 404, 409 'stale', and 422 if validation
 * fails in core or a record does not exist.
 */
export async function saveBankRule(ctx: Ctx, input: BankRuleInput): Promise<BankRule> {
  const { tx } = ctx;
  const id = Math.max(0, input.id ?? 0);
  // All rules are locked, because a new position for one rule moves other rules.
  const [, all] = await tx.inOrder([bankRules.find({}, { lock: 'for update', orderBy: sql`id` }), rulesSql()]);
  const before = all.find((rule) => rule.id === id);
  if (id > 0 && before === undefined) throw notFound('Rule');
  if (before !== undefined) requireFresh(BankRule, view(before), input.rowVersion);
  const rule = fieldsOf(input);
  const name = input.name ?? before?.name ?? '';
  refuseFields(checkRule({ ...rule, name }));
  await requireReferences(ctx, rule, before);
  const others = all.filter((each) => each !== before);
  const position = Math.min(input.position ?? before?.position ?? others.length + 1, others.length + 1);
  const head = {
    ...rule,
    name,
    position,
    active: input.active ?? before?.active ?? true,
    posts: input.posts ?? before?.posts ?? false,
    rowVersion: (before?.rowVersion ?? 0) + 1,
  };
  const { id: savedId } = before ?? (await tx.one(bankRules.insert(head, ['id'])));
  const places = [...others.slice(0, position - 1), { id: savedId }, ...others.slice(position - 1)];
  const lines = rule.lines.map((line, at) => ({ ...line, ruleId: savedId, lineNo: at + 1 }));
  const write = [
    ...(before === undefined ? [] : [bankRules.update({ id: savedId }, head)]),
    bankRules.updateMany(
      places.map((each, at) => ({ id: each.id, position: at + 1 })),
      ['id'],
    ),
    bankRuleLines.delete({ ruleId: savedId }),
    bankRuleLines.insertMany(lines),
  ];
  const after = view({ ...head, id: savedId });
  return record(ctx, subject, { before: before && view(before), after, write });
}

/** Saves the rule in a PUT request. Throws 404 if the request has no ID. */
export function updateBankRule(ctx: Ctx, id: number, input: BankRuleInput): Promise<BankRule> {
  if (id <= 0) throw notFound('Rule');
  return saveBankRule(ctx, { ...input, id });
}

/** Deletes a rule. Its postings are kept. Throws 404 if the rule does not exist. */
export async function removeBankRule(ctx: Ctx, id: number): Promise<{ ok: true }> {
  const [, [before]] = await ctx.tx.inOrder([bankRules.find({ id }, { lock: 'for update' }), rulesSql(id)]);
  if (before === undefined) throw notFound('Rule');
  const write = [bankRuleLines.delete({ ruleId: id }), bankRules.delete({ id })];
  record(ctx, subject, { before: view(before), write });
  return { ok: true };
}

/** The maximum number of bank transactions in a preview. */
const MOST_SHOWN = 500;

/**
 * Returns the bank transactions from the last twelve months that a rule matches, and how the Profit & Loss would change
 * if the rule categorized all of them. Categorized bank transactions would move out of their current accounts, and bank
 * transactions for review would be added.
 */
export async function rehearseBankRule(ctx: Ctx, input: FieldsInput): Promise<Rehearsal> {
  const rule = fieldsOf(input);
  refuseFields(checkRule({ ...rule, name: 'rehearsal' }));
  await requireReferences(ctx, rule, undefined);
  const range = { from: addMonths(ctx.today, -12), to: ctx.today };
  const lines = (await ctx.tx.rows(rehearsedLines(range))).filter((line) => ruleFits(rule, line));
  const booked = await ctx.tx.rows(bookedNow(lines.map(({ id }) => id)));
  const changes = new Map<number, number>();
  const add = (accountId: number, amount: number) => changes.set(accountId, (changes.get(accountId) ?? 0) + amount);
  for (const { accountId, amount } of booked) add(accountId, -amount);
  for (const line of lines) {
    for (const part of splitByRule(rule.lines, line.amount)) add(part.accountId, -part.amount);
  }
  const [accounts, settings] = await Promise.all([
    ctx.tx.rows(accountsByIdSql([...changes.keys()])),
    ctx.tx.rows(settingsSql()),
  ]);
  const { useAccountNumbers } = toCompanySettings(settings);
  const labels = new Map(accounts.map((account) => [account.id, accountLabel(account, useAccountNumbers)]));
  const touched = accounts.flatMap((account) => {
    const [info, change] = [accountTypeInfo(account.type, account.contra), cents(changes.get(account.id) ?? 0)];
    return isProfitAndLoss(info) && change !== 0 ? [{ account, info, change }] : [];
  });
  const net = touched.reduce((all, { change }) => all + change, 0);
  const nowOf = (id: number) =>
    [...new Set(booked.filter((each) => each.lineId === id).map((each) => labels.get(each.accountId) ?? ''))].join(
      ', ',
    );
  return {
    ...range,
    count: lines.length,
    sum: lines.reduce<Cents>((all, { amount }) => cents(all + amount), ZERO),
    lines: lines.slice(0, MOST_SHOWN).map(({ id, date, amount, text, state }) => {
      return { id, date, amount, text, state, now: nowOf(id) };
    }),
    accounts: touched.map(({ account, info, change }) => ({
      accountID: account.id,
      displayAccountLabel: labels.get(account.id) ?? '',
      change: naturalAmount(info, change),
    })),
    netIncome: negate(cents(net)),
  };
}
