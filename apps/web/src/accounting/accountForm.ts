import type { ChartAccount } from '@evenkeel/contract/ledger';
import type { FieldMessages } from '@evenkeel/core/failure';

/** The GL account being typed. */
export interface AccountForm {
  type: string;
  /** The master account it is based on. */
  baseId: number | null;
  number: string;
  name: string;
  description: string;
}

/** The form of an account; empty for a new one. */
export function formOfAccount(account: ChartAccount | undefined): AccountForm {
  return {
    type: account?.displayAccountType ?? '',
    baseId: account?.masterAccountID ?? null,
    number: account?.displayAccountNumber ?? '',
    name: account?.displayAccountName ?? '',
    description: account?.description ?? '',
  };
}

/** What is wrong, by field: the server's words, and after the first try also what is still missing. */
export function problemsOf(form: AccountForm, fields: FieldMessages, tried: boolean) {
  const base = tried && form.baseId === null ? 'Please Select an Account' : fields['masterAccountID'];
  const name = tried && form.name.trim() === '' ? 'Please enter a name' : fields['accountNameLabel'];
  const number = fields['accountNumberLabel'];
  return {
    ...(base === undefined ? {} : { baseId: base }),
    ...(name === undefined ? {} : { name }),
    ...(number === undefined ? {} : { number }),
  };
}

/** What a device kept of the form, or undefined when it is none. */
export function readAccountForm(stored: unknown): AccountForm | undefined {
  if (typeof stored !== 'object' || stored === null) return undefined;
  const texts = ['type', 'number', 'name', 'description'].map((key) =>
    Object.entries(stored).find(([name, value]) => name === key && typeof value === 'string'),
  );
  const [type, number, name, description] = texts.map((entry) => String(entry?.[1] ?? ''));
  if (texts.includes(undefined)) return undefined;
  const baseId = 'baseId' in stored && typeof stored.baseId === 'number' ? stored.baseId : null;
  return { type: type ?? '', number: number ?? '', name: name ?? '', description: description ?? '', baseId };
}
