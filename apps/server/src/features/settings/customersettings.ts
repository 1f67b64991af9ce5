import { type CustomerSetting, CustomerSettings } from '@evenkeel/contract/company';
import type { SettingInput } from '@evenkeel/contract/settings';
import { ACCOUNT_INACTIVE } from '@evenkeel/core/books/accounts';
import { parseDate } from '@evenkeel/core/dates';
import { type FieldMessages, refuse, refuseFields } from '@evenkeel/core/failure';
import {
  checkSetting,
  findSettingName,
  isOwnSettingName,
  isSettingName,
  MOST_OWN_SETTINGS,
  ownSettingValue,
  settingNames,
  settingRule,
} from '@evenkeel/core/settings';
import { sql } from 'kysely';
import { record } from '../../platform/db/audit.ts';
import type { Ctx } from '../../platform/http/context.ts';
import { stale } from '../../platform/http/fresh.ts';
import { accountsSql, saveSettingSql } from './customersettings.sql.ts';
import {
  closingDateSql,
  closingSetting,
  closingVersionSql,
  moveClosingDate,
  settingSubject,
} from '../../books/closing-date.ts';
import { settings } from '../../books/company-settings.ts';

/**
 * Returns every known setting with its value as text, or its default if it was never set, followed by client-defined
 * settings.
 */
export async function getSettings(ctx: Ctx): Promise<CustomerSettings> {
  return { customerSettingItems: await storedItems(ctx, false) };
}

/** A setting to save, with the exact name of a known setting or with a name that a client defined. */
interface Wanted {
  name: string;
  value: string;
  /** The version of the setting that the client saw before the change. Undefined if the client sent none. */
  rowVersion: number | null | undefined;
}

/**
 * Saves one setting or an array of settings, and returns the result in the same form. If one setting is invalid,
 * nothing is saved. Throws 422 with a message for each invalid value, and 409 if a setting has been changed since the
 * version that was sent with it. A new closing date takes effect with the next posting.
 */
export async function saveSettings(
  ctx: Ctx,
  body: SettingInput | SettingInput[],
): Promise<CustomerSetting | CustomerSetting[]> {
  const inputs = Array.isArray(body) ? body : [body];
  const wanted = readAll(inputs, Array.isArray(body));
  const [stored] = await Promise.all([storedItems(ctx, true), requireAccounts(ctx, wanted, Array.isArray(body))]);
  requireVersions(wanted, stored);
  const saved = wanted.map((setting) => save(ctx, setting, stored));
  const [only] = saved;
  return Array.isArray(body) || only === undefined ? saved : only;
}

/** Throws 409 with all settings if another user has changed one of these settings to another value. */
function requireVersions(wanted: readonly Wanted[], stored: readonly CustomerSetting[]): void {
  const isOutdated = wanted.some(({ name, value, rowVersion }) => {
    const { rowVersion: version = 0, settingValue } = stored.find((one) => isNamed(one, name)) ?? {};
    return rowVersion !== null && rowVersion !== undefined && rowVersion !== version && value !== settingValue;
  });
  if (isOutdated) throw stale(CustomerSettings, { customerSettingItems: [...stored] });
}

function isNamed({ settingName }: CustomerSetting, name: string): boolean {
  return settingName.toLowerCase() === name.toLowerCase();
}

/** The first ID of client-defined settings. Known settings have lower IDs. */
const FIRST_OWN = 1001;

/**
 * Returns all settings, with known settings first. With `lock`, neither the closing date nor the list of settings can
 * change until the commit.
 */
async function storedItems(ctx: Ctx, lock: boolean): Promise<CustomerSetting[]> {
  // The lock must come first, because the ID of a new setting depends on the list of settings.
  const [[head], [closing], rows] = await ctx.tx.inOrder([
    closingDateSql(lock),
    closingVersionSql(),
    settings.find({}, { orderBy: sql`id` }),
  ]);
  const known = settingNames.map((name) => {
    if (name === 'closingDate') return closingSetting(head?.closingDate ?? null, closing?.version ?? 0);
    const { settingValue = settingRule(name).initial, rowVersion = 0 } =
      rows.find(({ settingName }) => settingName === name) ?? {};
    return { id: settingRule(name).id, settingName: name, settingValue, rowVersion };
  });
  return [...known, ...rows.filter(({ settingName }) => !isSettingName(settingName))];
}

/**
 * Returns the request field that a message belongs to: the setting's value, with the setting's index if an array was
 * sent.
 */
function pathOf(index: number, isArray: boolean, field = 'settingValue'): string {
  return isArray ? `${index}.${field}` : field;
}

function readAll(inputs: readonly SettingInput[], isArray: boolean): Wanted[] {
  const fields: FieldMessages = {};
  const wanted = inputs.flatMap(({ settingName, settingValue, rowVersion }, index): Wanted[] => {
    const name = findSettingName(settingName);
    if (name === undefined) {
      const value = isOwnSettingName(settingName) ? ownSettingValue(settingValue ?? '') : undefined;
      if (value !== undefined) return [{ name: settingName, value, rowVersion }];
      fields[pathOf(index, isArray, 'settingName')] =
        "This setting doesn't exist. The value of a custom setting must be true or false.";
      return [];
    }
    const checked = checkSetting(name, settingValue ?? '');
    if (checked.value !== undefined) return [{ name, value: checked.value, rowVersion }];
    fields[pathOf(index, isArray)] = checked.message;
    return [];
  });
  refuseFields(fields);
  return wanted;
}

/**
 * Throws 422 unless each default account belongs to the company, is active, and has an account type that the setting
 * allows.
 */
async function requireAccounts(ctx: Ctx, wanted: readonly Wanted[], isArray: boolean): Promise<void> {
  const named = wanted.filter(({ name, value }) => typesOf(name).length > 0 && value !== '');
  const ids = named.map(({ value }) => Number(value));
  if (ids.length === 0) return;
  const accounts = await ctx.tx.rows(accountsSql(ids));
  const fields: FieldMessages = {};
  wanted.forEach((each, index) => {
    if (!named.includes(each)) return;
    const takesContra = isSettingName(each.name) && settingRule(each.name).takesContra === true;
    const fitting = accounts.find(({ id, accountType, contra }) => {
      return id === Number(each.value) && typesOf(each.name).includes(accountType) && (takesContra || !contra);
    });
    if (fitting?.active !== true) {
      fields[pathOf(index, isArray)] = fitting === undefined ? 'Please Select an Account' : ACCOUNT_INACTIVE;
    }
  });
  refuseFields(fields);
}

/** Returns the account types that a setting allows, or none for other settings. */
function typesOf(name: string): readonly string[] {
  return isSettingName(name) ? (settingRule(name).accountTypes ?? []) : [];
}

/** Saves a setting, adds it to the list of stored settings, and returns it. */
function save(ctx: Ctx, { name, value }: Wanted, stored: CustomerSetting[]): CustomerSetting {
  const index = stored.findIndex((one) => isNamed(one, name));
  const before = stored[index] ?? newOwn(name, stored);
  if (value === before.settingValue && index >= 0) return before;
  const after = { ...before, settingValue: value, rowVersion: before.rowVersion + 1 };
  stored.splice(index < 0 ? stored.length : index, index < 0 ? 0 : 1, after);
  if (name === 'closingDate') {
    const dateOf = (text: string) => parseDate(text) ?? null;
    const { settingValue, rowVersion: version } = before;
    return moveClosingDate(ctx, { from: dateOf(settingValue), to: dateOf(value), note: '', version });
  }
  const { id, settingName } = after;
  const write = saveSettingSql(id, { name: settingName, value });
  return record(ctx, settingSubject, { ...(index < 0 ? {} : { before }), after, write });
}

/** Returns a new setting with the next ID. */
function newOwn(settingName: string, stored: readonly CustomerSetting[]): CustomerSetting {
  const ids = stored.map(({ id }) => id).filter((id) => id >= FIRST_OWN);
  if (ids.length >= MOST_OWN_SETTINGS) {
    const message = `A company can have at most ${MOST_OWN_SETTINGS} custom settings`;
    throw refuse(message, { settingName: message });
  }
  return { id: Math.max(FIRST_OWN - 1, ...ids) + 1, settingName, settingValue: '', rowVersion: 0 };
}
