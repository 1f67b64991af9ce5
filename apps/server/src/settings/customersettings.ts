import { CustomerSetting, type SettingInput } from '@evenkeel/contract/settings';
import { type FieldMessages, refuseFields } from '@evenkeel/core/failure';
import { checkSetting, findSettingName, type SettingName, settingNames, settingRule } from '@evenkeel/core/settings';
import { record, type Subject } from '../db/audit.ts';
import type { Ctx } from '../http/context.ts';
import { accountsSql, closingDateSql, saveClosingDateSql, saveSettingSql } from './customersettings.sql.ts';
import { settingsSql } from './settings.ts';

const subject: Subject<typeof CustomerSetting> = {
  name: 'setting',
  schema: CustomerSetting,
  idOf: (setting) => setting.id,
};

/** Every known setting with its value as text; one that was never set has its default. */
export async function getSettings(ctx: Ctx): Promise<{ customerSettingItems: CustomerSetting[] }> {
  const values = await storedValues(ctx, false);
  return { customerSettingItems: settingNames.map((name) => item(name, values.get(name) ?? '')) };
}

interface Wanted {
  name: SettingName;
  value: string;
}

/**
 * Saves one setting and answers it, or an array whole or not at all and answers the array. 422 names each bad value;
 * the closing date holds from the next posting on.
 */
export async function saveSettings(
  ctx: Ctx,
  body: SettingInput | SettingInput[],
): Promise<CustomerSetting | CustomerSetting[]> {
  const inputs = Array.isArray(body) ? body : [body];
  const wanted = readAll(inputs, Array.isArray(body));
  const [values] = await Promise.all([storedValues(ctx, true), requireAccounts(ctx, wanted, Array.isArray(body))]);
  for (const setting of wanted) save(ctx, setting, values.get(setting.name) ?? '');
  const saved = wanted.map(({ name, value }) => item(name, value));
  const [only] = saved;
  return Array.isArray(body) || only === undefined ? saved : only;
}

function item(name: SettingName, value: string): CustomerSetting {
  return { id: settingRule(name).id, settingName: name, settingValue: value };
}

/** The texts of all settings; locked, the closing date stands still until the commit. */
async function storedValues(ctx: Ctx, lock: boolean): Promise<Map<SettingName, string>> {
  const [rows, head] = await Promise.all([ctx.tx.rows(settingsSql()), ctx.tx.row(closingDateSql(lock))]);
  const stored = new Map(rows.map((row) => [row.settingName, row.settingValue]));
  const values = settingNames.map((name): [SettingName, string] => [
    name,
    stored.get(name) ?? settingRule(name).initial,
  ]);
  return new Map([...values, ['closingDate', head?.closingDate ?? '']]);
}

/** The field of a message: the setting's value, by its position when an array was sent. */
function pathOf(index: number, isArray: boolean, field = 'settingValue'): string {
  return isArray ? `${index}.${field}` : field;
}

function readAll(inputs: readonly SettingInput[], isArray: boolean): Wanted[] {
  const fields: FieldMessages = {};
  const wanted = inputs.flatMap(({ settingName, settingValue }, index): Wanted[] => {
    const name = findSettingName(settingName);
    if (name === undefined) {
      fields[pathOf(index, isArray, 'settingName')] = 'There is no such setting';
      return [];
    }
    const checked = checkSetting(name, settingValue ?? '');
    if (checked.value !== undefined) return [{ name, value: checked.value }];
    fields[pathOf(index, isArray)] = checked.message;
    return [];
  });
  refuseFields(fields);
  return wanted;
}

/** Default accounts must be the company's, active, and of a type that the setting asks for. */
async function requireAccounts(ctx: Ctx, wanted: readonly Wanted[], isArray: boolean): Promise<void> {
  const named = wanted.filter(({ name, value }) => settingRule(name).accountTypes !== undefined && value !== '');
  const ids = named.map(({ value }) => Number(value));
  if (ids.length === 0) return;
  const accounts = await ctx.tx.rows(accountsSql(ids));
  const fields: FieldMessages = {};
  wanted.forEach((each, index) => {
    if (!named.includes(each)) return;
    const { accountTypes = [], takesContra = false } = settingRule(each.name);
    const isGood = accounts.some(({ id, accountType, contra }) => {
      return id === Number(each.value) && accountTypes.some((type) => type === accountType) && (takesContra || !contra);
    });
    if (!isGood) fields[pathOf(index, isArray)] = 'Please Select an Account';
  });
  refuseFields(fields);
}

function save(ctx: Ctx, { name, value }: Wanted, before: string): void {
  if (value === before) return;
  const { id } = settingRule(name);
  const write = name === 'closingDate' ? saveClosingDateSql(value) : saveSettingSql(id, { name, value });
  record(ctx, subject, { before: item(name, before), after: item(name, value), write });
}
