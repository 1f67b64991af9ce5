import { type SettingName, settingRule } from '@evenkeel/core/settings';
import { sql } from 'kysely';
import { COMPANY, type Runnable } from '../platform/db/query.ts';
import { table } from '../platform/db/table.ts';
import type { Ctx } from '../platform/http/context.ts';

/** The company settings that the server uses. */
export interface CompanySettings {
  useAccountNumbers: boolean;
  useProfitCenters: boolean;
  useLocations: boolean;
  defaultARAccountId: number;
  defaultAPAccountId: number;
  defaultREAccountId: number;
  /** The first month of the fiscal year, 1 to 12. */
  fyStartMonth: number;
  /** 0 for accrual, 1 for cash. */
  reportingAccountingBasis: 0 | 1;
  /** The number of days until a document is due if its customer or vendor has no terms. */
  termsDays: number;
  /** The accounts for early-payment discounts. 0 means no account. */
  discountsGivenAccountId: number;
  purchaseDiscountsAccountId: number;
}

export const settings = table('setting', {
  id: 'id',
  settingName: 'setting_name',
  settingValue: 'setting_value',
  rowVersion: 'row_version',
});

/** A stored setting. A setting that was never saved has no row. */
export interface SettingRow {
  settingName: string;
  settingValue: string;
}

/**
 * Returns a company's stored settings. Run the statement in the same round trip as another read, and pass the rows to
 * toCompanySettings.
 */
export function settingsSql(): Runnable<SettingRow> {
  return sql<SettingRow>`
    select setting_name as "settingName", setting_value as "settingValue" from setting where company_id = ${COMPANY}`;
}

/** Converts the rows of settingsSql to settings. Settings that were never saved get their defaults. */
export function toCompanySettings(rows: readonly SettingRow[]): CompanySettings {
  const stored = new Map(rows.map((row) => [row.settingName, row.settingValue]));
  const value = (name: SettingName): string => stored.get(name) ?? settingRule(name).initial;
  return {
    useAccountNumbers: value('useAccountNumbers') === 'true',
    useProfitCenters: value('useProfitCenters') === 'true',
    useLocations: value('useLocations') === 'true',
    defaultARAccountId: Number(value('defaultARAccountId')),
    defaultAPAccountId: Number(value('defaultAPAccountId')),
    defaultREAccountId: Number(value('defaultREAccountId')),
    fyStartMonth: Number(value('fyStartMonth')),
    reportingAccountingBasis: value('reportingAccountingBasis') === '1' ? 1 : 0,
    termsDays: Number(value('termsDays')),
    discountsGivenAccountId: Number(value('discountsGivenAccountId')),
    purchaseDiscountsAccountId: Number(value('purchaseDiscountsAccountId')),
  };
}

/** Reads the company's settings in one statement. */
export async function companySettings(ctx: Ctx): Promise<CompanySettings> {
  return toCompanySettings(await ctx.tx.rows(settingsSql()));
}

/** 1 if there is an active profit center, and 0 otherwise. */
export const ACTIVE_PROFIT_CENTERS = sql`(select count(*) from (
      select from profit_center f where f.company_id = ${COMPANY} and f.active limit 1) x)`;
/** 1 if there is an active location, and 0 otherwise. */
export const ACTIVE_LOCATIONS = sql`(select count(*) from (
      select from location l where l.company_id = ${COMPANY} and l.active limit 1) x)`;
