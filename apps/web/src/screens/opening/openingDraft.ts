import { GRIDS, type OpeningForm, withLast } from './openingForm.ts';

/** Returns a form that was stored on this device, or undefined if it has another format. */
export function readForm(stored: unknown): OpeningForm | undefined {
  if (!isForm(stored)) return undefined;
  const rows = GRIDS.map((grid) => [grid, withLast(stored[grid], grid)] as const);
  return { ...stored, ...Object.fromEntries(rows) };
}

function isForm(stored: unknown): stored is OpeningForm {
  if (typeof stored !== 'object' || stored === null || !('balances' in stored) || !('date' in stored)) return false;
  const { balances } = stored;
  const hasBalances =
    typeof balances === 'object' &&
    balances !== null &&
    Object.values(balances).every((balance: unknown) => hasFields(balance, ['debit', 'credit']));
  return hasBalances && GRIDS.every((grid) => grid in stored && isRows(Reflect.get(stored, grid)));
}

const isRows = (rows: unknown): boolean =>
  Array.isArray(rows) && rows.every((row: unknown) => hasFields(row, ['key', 'id', 'entityId', 'number', 'unpaid']));

const hasFields = (value: unknown, names: readonly string[]): boolean =>
  typeof value === 'object' && value !== null && names.every((name) => name in value);
