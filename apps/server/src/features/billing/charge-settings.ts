import { FinanceChargeSettings, type FinanceChargeSettingsInput } from '@evenkeel/contract/charges';
import { INTEREST_INCOME } from '@evenkeel/core/books/accounts';
import { checkChargeRule, NO_CHARGE } from '@evenkeel/core/documents/charges';
import { refuseFields } from '@evenkeel/core/failure';
import { decimal } from '@evenkeel/core/money';
import { RECEIVABLE } from '@evenkeel/core/documents/side';
import { sql } from 'kysely';
import { record, type Subject } from '../../platform/db/audit.ts';
import { COMPANY } from '../../platform/db/query.ts';
import { customers, getEntity } from '../entities/entities.ts';
import type { Ctx } from '../../platform/http/context.ts';
import { requireFresh } from '../../platform/http/fresh.ts';
import { accountFault } from '../../books/ledger/references.ts';
import { accounts, chargeOff, chargeSettings, selectChargeOff } from './charges.sql.ts';

/** The finance charge rule. Finance charges are off until a rate or an amount is set. */

const subjectOf = (companyId: number): Subject<typeof FinanceChargeSettings> => ({
  name: 'finance charge settings',
  schema: FinanceChargeSettings,
  idOf: () => companyId,
});

const NOTHING_SET = { ...NO_CHARGE, annualRate: '0', accountId: INTEREST_INCOME, chargesCharges: false, rowVersion: 0 };

/** Returns the rule and the customers who are exempt from it. */
export async function financeChargeSettings({ tx }: Pick<Ctx, 'tx'>): Promise<FinanceChargeSettings> {
  const [row = NOTHING_SET, leftOut] = await Promise.all([tx.row(chargeSettings.find({})), tx.rows(selectChargeOff())]);
  return { ...row, annualRate: decimal(row.annualRate), leftOut };
}

/**
 * Creates and locks the row before reading it, so that the second of two simultaneous saves sees what the first one
 * saved.
 */
const lockRow = () => sql`
  insert into finance_charge_settings
    (company_id, kind, annual_rate, amount_cents, grace_days, minimum_cents, account_id, charges_charges, row_version)
  values (${COMPANY}, ${NOTHING_SET.kind}, 0, 0, 0, 0, ${INTEREST_INCOME}, false, 0)
  on conflict (company_id) do update set row_version = finance_charge_settings.row_version`;

/**
 * Saves the given settings and keeps the others. Throws 409 'stale' for an outdated version, and 422 if core's
 * `checkChargeRule` fails or the account is invalid.
 */
export async function saveFinanceChargeSettings(
  ctx: Ctx,
  input: FinanceChargeSettingsInput,
): Promise<FinanceChargeSettings> {
  await ctx.tx.rows(lockRow());
  const before = await financeChargeSettings(ctx);
  requireFresh(FinanceChargeSettings, before, input.rowVersion);
  const after: FinanceChargeSettings = {
    kind: input.kind ?? before.kind,
    annualRate: input.annualRate ?? before.annualRate,
    amount: input.amount ?? before.amount,
    graceDays: input.graceDays ?? before.graceDays,
    minimum: input.minimum ?? before.minimum,
    accountId: input.accountId ?? before.accountId,
    chargesCharges: input.chargesCharges ?? before.chargesCharges,
    leftOut: before.leftOut,
    rowVersion: before.rowVersion + 1,
  };
  const { leftOut: _, ...row } = after;
  const found = await ctx.tx.rows(accounts.find({ id: row.accountId }));
  const accountId = accountFault(found, { id: row.accountId, before: before.accountId }, RECEIVABLE);
  refuseFields({ ...checkChargeRule(row), ...(accountId === undefined ? {} : { accountId }) });
  const write = chargeSettings.update({}, { ...row, annualRate: row.annualRate.toString() });
  return record(ctx, subjectOf(ctx.companyId), { action: 'update', before, after, write });
}

/** Exempts a customer from finance charges, or ends the exemption. Throws 404 if the customer does not exist. */
export async function leaveOutOfCharges(
  ctx: Ctx,
  customerId: number,
  isLeftOut: boolean,
): Promise<FinanceChargeSettings> {
  await getEntity(ctx, customers, customerId);
  const before = await financeChargeSettings(ctx);
  const put = sql`
    insert into finance_charge_off (company_id, entity_id) values (${COMPANY}, ${customerId})
    on conflict (company_id, entity_id) do nothing`;
  await ctx.tx.rows(isLeftOut ? put : chargeOff.delete({ customerId }));
  const after = await financeChargeSettings(ctx);
  return record(ctx, subjectOf(ctx.companyId), { action: 'update', before, after });
}
