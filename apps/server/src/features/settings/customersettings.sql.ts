import { sql } from 'kysely';
import { COMPANY, type Runnable } from '../../platform/db/query.ts';

/** SQL statements that change settings. settings.ts reads the settings. */

export interface SettingAccount {
  id: number;
  accountType: string;
  contra: boolean;
  active: boolean;
}

/** Returns accounts by ID, including inactive ones. */
export function accountsSql(ids: readonly number[]): Runnable<SettingAccount> {
  return sql<SettingAccount>`
    select id, account_type as "accountType", contra, active from account
    where company_id = ${COMPANY} and id = any(${ids})`;
}

export function saveSettingSql(id: number, setting: { name: string; value: string }) {
  return sql`
    insert into setting (company_id, id, setting_name, setting_value)
    values (${COMPANY}, ${id}, ${setting.name}, ${setting.value})
    on conflict (company_id, setting_name) do update
      set setting_value = excluded.setting_value, row_version = setting.row_version + 1`;
}
