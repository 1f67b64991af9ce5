import type { BodyOf } from '@evenkeel/contract/endpoint';
import { type formCalls, FormSettings } from '@evenkeel/contract/forms1099';
import { ACCOUNT_INACTIVE, accountTypeInfo, isControlAccount, isMoneyAccount } from '@evenkeel/core/books/accounts';
import { type FieldMessages, refuseFields } from '@evenkeel/core/failure';
import { proposedBox } from '@evenkeel/core/taxes/forms1099';
import type { AccountBox } from '@evenkeel/core/taxes/ids';
import { sql } from 'kysely';
import { record, type Subject } from '../../platform/db/audit.ts';
import type { Ctx } from '../../platform/http/context.ts';
import { requireFresh } from '../../platform/http/fresh.ts';
import {
  type BoxableAccount,
  boxableAccountsSql,
  boxAccounts,
  type PayerRow,
  payers,
  taxIdPlaces,
} from './forms.sql.ts';
import { taxIdColumns } from './vendor-tax.ts';

const subject: Subject<typeof FormSettings> = { name: '1099 settings', schema: FormSettings, idOf: () => 1 };

export const NO_PAYER: PayerRow = { taxIdKind: null, taxIdBox: null, taxIdEnd: '', rowVersion: 0 };

async function read(ctx: Ctx, isLocked = false) {
  const [[payer], saved, accounts] = await ctx.tx.inOrder([
    payers.find({}, isLocked ? { lock: 'for update' } : {}),
    boxAccounts.find({}, { orderBy: sql`account_id` }),
    boxableAccountsSql(),
  ]);
  return { payer: payer ?? NO_PAYER, saved, accounts };
}

function shown({ payer, saved, accounts }: Awaited<ReturnType<typeof read>>): FormSettings {
  const known = new Set(saved.map(({ accountId }) => accountId));
  const { taxIdKind, taxIdEnd, rowVersion } = payer;
  const proposed = accounts.flatMap((account) => {
    const box = account.active && !known.has(account.id) ? proposedBox(account) : undefined;
    return box === undefined ? [] : [{ accountId: account.id, box }];
  });
  return { taxIdKind, taxIdEnd, rowVersion, accounts: saved, proposed };
}

/** Returns the boxes for accounts, suggested boxes for other accounts, and the last digits of the company's tax ID. */
export async function getFormSettings(ctx: Ctx): Promise<FormSettings> {
  return shown(await read(ctx));
}

/**
 * Saves the boxes for accounts and the company's tax ID. Throws 409 'stale', and 422 with the invalid fields. Backup
 * withholding requires a liability account, and a payment network requires a bank account.
 */
export async function updateFormSettings(
  ctx: Ctx,
  input: BodyOf<typeof formCalls.updateFormSettings>,
): Promise<FormSettings> {
  const stored = await read(ctx, true);
  const before = shown(stored);
  requireFresh(FormSettings, before, input.rowVersion);
  const fields: FieldMessages = {};
  const seen = new Set<number>();
  for (const [at, { accountId, box }] of input.accounts.entries()) {
    const account = stored.accounts.find(({ id }) => id === accountId);
    const wasSaved = stored.saved.some((each) => each.accountId === accountId && each.box === box);
    const fault = seen.has(accountId) ? 'This account already has a box' : faultOf(account, box, wasSaved);
    if (fault !== undefined) fields[`accounts.${at}.accountId`] = fault;
    seen.add(accountId);
  }
  refuseFields(fields);
  const place = taxIdPlaces.payer(ctx.companyId);
  const payer = {
    ...taxIdColumns(ctx, input, { stored: stored.payer, place }),
    rowVersion: stored.payer.rowVersion + 1,
  };
  const saved = input.accounts.toSorted((a, b) => a.accountId - b.accountId);
  const write = [
    stored.payer.rowVersion === 0 ? payers.insert(payer) : payers.update({}, payer),
    boxAccounts.delete({}),
    ...(saved.length === 0 ? [] : [boxAccounts.insertMany(saved)]),
  ];
  const after = shown({ ...stored, payer, saved });
  return record(ctx, subject, { ...(stored.payer.rowVersion === 0 ? {} : { before }), after, write });
}

function faultOf(account: BoxableAccount | undefined, box: AccountBox, wasSaved: boolean): string | undefined {
  if (account === undefined) return 'Please Select an Account';
  if (!account.active && !wasSaved) return ACCOUNT_INACTIVE;
  const info = accountTypeInfo(account.type);
  if (box === 'network')
    return info.type === 'Bank' || info.type === 'Cash' ? undefined : 'Select a bank account for the payment network';
  if (isMoneyAccount(info) || isControlAccount(info)) return "Bank, card, and control accounts can't have a box";
  if (box === 'withheld' && info.root !== 'Liability') return 'Select a liability account for backup withholding';
  return undefined;
}
