import { idOrNull } from '@evenkeel/contract/fields';
import { type BANK_KINDS, BankingAccount, type BankingAccountInput } from '@evenkeel/contract/banking';
import {
  ACCOUNT_INACTIVE,
  accountItem,
  accountTypeInfo,
  CHECKING,
  CREDIT_CARD,
  isMoneyAccount,
  OPENING_BALANCE_EQUITY,
  PETTY_CASH,
  SAVINGS,
} from '@evenkeel/core/books/accounts';
import { checkBankingAccount, maskNumber } from '@evenkeel/core/banking/banking';
import { cents } from '@evenkeel/core/money';
import { Failure, notFound, refuse, refuseFields } from '@evenkeel/core/failure';
import { planLinks, unlinkAll } from '../../books/attachments/links.ts';
import { record, type Subject } from '../../platform/db/audit.ts';
import { StartOver } from '../../platform/db/errors.ts';
import type { Ctx } from '../../platform/http/context.ts';
import { onlineBankSql } from '../settings/paynow.ts';
import { requireFresh } from '../../platform/http/fresh.ts';
import { holds } from '../../platform/http/session.ts';
import { createWithin } from '../../books/ledger/batch.ts';
import { journalCreation } from '../../books/ledger/journal-posting.ts';
import { openJournal } from '../../books/ledger/journal.ts';
import { setupAccount } from '../accounting/account-setup.ts';
import { settingsSql, toCompanySettings } from '../../books/company-settings.ts';
import {
  availableAccountsSql,
  type BankingAccountRow,
  bankingAccounts,
  bankingAccountsSql,
  moneyAccountSql,
  nextBankingAccountSql,
} from './accounts.sql.ts';
import { numberOf, sealNumber } from './numbers.ts';
import { reconciledAccountSql } from './reconciliation.sql.ts';

const subject: Subject<typeof BankingAccount> = {
  name: 'bankingaccount',
  schema: BankingAccount,
  idOf: (account) => account.bankingAccountID,
};

/**
 * Returns the active bank accounts, or all of them, sorted by name. Numbers and balances are included only for users
 * who can view banking.
 */
export async function listBankingAccounts(ctx: Ctx, withInactive: boolean): Promise<BankingAccount[]> {
  const isSeen = holds(ctx, 'View Banking');
  const rows = await ctx.tx.rows(bankingAccountsSql(ctx.today, { withInactive }));
  return rows.map((row) => toBankingAccount(ctx, row, isSeen));
}

/** Returns active bank accounts, sorted by name, with the date and balance of each account's last statement. */
export async function reconciledAccounts(ctx: Ctx): Promise<BankingAccount[]> {
  const rows = await ctx.tx.rows(bankingAccountsSql(ctx.today));
  return rows.map((row) => toBankingAccount(ctx, row, true));
}

/**
 * Returns one bank account, active or inactive, with its GL account's balance as of today. Throws 404 if it does not
 * exist.
 */
export async function getBankingAccount(ctx: Ctx, id: number): Promise<BankingAccount> {
  return toBankingAccount(ctx, required(await ctx.tx.row(bankingAccountsSql(ctx.today, { id }))), true);
}

/**
 * Returns the bank, cash, and credit card accounts that no bank account uses, and the given account, which may be in
 * use by the bank account being edited.
 */
export async function availableGlAccounts(ctx: Ctx, accountIdInUse: number) {
  const [rows, settings] = await Promise.all([
    ctx.tx.rows(availableAccountsSql(accountIdInUse)),
    ctx.tx.rows(settingsSql()),
  ]);
  const { useAccountNumbers } = toCompanySettings(settings);
  return rows.map((account) => accountItem(account, useAccountNumbers));
}

/**
 * Creates a bank account and posts its opening balance. Also creates the GL account if `kind` is given instead of
 * `glAccountID`. Throws 422 if validation fails (core/banking), and 409 if another bank account uses the GL account or
 * another account has the same name. Without the Manage Accounting permission, throws 403 for a new GL account or an
 * opening balance.
 */
export async function createBankingAccount(ctx: Ctx, input: BankingAccountInput): Promise<BankingAccount> {
  // A new account must have a number. A change can omit the number.
  refuseFields(checkBankingAccount({ ...input, accountNumber: input.accountNumber ?? '' }));
  const glAccountId = idOrNull(input.glAccountID) ?? (await createGlAccount(ctx, input));
  const [{ id }, links] = await Promise.all([
    ctx.tx.one(nextBankingAccountSql()),
    planLinks(ctx, { kind: 'bankingaccount', id: 0 }, input.documentLinks),
    moneyAccount(ctx, glAccountId, undefined),
  ]);
  const written = {
    id,
    name: input.name ?? '',
    plainNumber: '',
    sealedNumber: sealNumber(ctx, id, input.accountNumber ?? ''),
    routingNumber: input.routingNumber ?? '',
    glAccountId,
    allowPayments: input.allowPayments ?? true,
    allowDeposits: input.allowDeposits ?? true,
    isCalledCard: input.creditCards ?? false,
    active: true,
    rowVersion: 1,
  };
  ctx.tx.atEnd(bankingAccounts.insert(written), ...links.write(id));
  await postOpeningBalance(ctx, input, glAccountId);
  const after = toBankingAccount(ctx, required(await ctx.tx.row(bankingAccountsSql(ctx.today, { id }))), true);
  return record(ctx, subject, { after });
}

const BASE_ACCOUNTS: Readonly<Record<(typeof BANK_KINDS)[number], number>> = {
  Checking: CHECKING,
  Savings: SAVINGS,
  'Credit Card': CREDIT_CARD,
  Cash: PETTY_CASH,
};

/** Returns the ID of a new GL account with the name of the bank account. */
async function createGlAccount(ctx: Ctx, { name, kind }: BankingAccountInput): Promise<number> {
  requireAccounting(ctx);
  const masterAccountID = BASE_ACCOUNTS[kind ?? 'Checking'];
  try {
    const account = await setupAccount(ctx, { customerAccountID: 0, masterAccountID, accountNameLabel: name });
    return account.customerAccountID;
  } catch (error) {
    if (!(error instanceof Failure) || error.fields?.['accountNameLabel'] === undefined) throw error;
    throw new Failure(error.code, error.message, { name: error.message });
  }
}

/** Posts the opening balance as a journal entry. The other side is Opening Balance Equity. */
async function postOpeningBalance(ctx: Ctx, input: BankingAccountInput, accountID: number): Promise<void> {
  const { name, openingBalance, openingDate, closingOverrideReason } = input;
  if (!openingBalance || !openingDate) return;
  requireAccounting(ctx);
  const line = (id: number, debit: boolean) => ({
    accountID: id,
    debit,
    amount: cents(Math.abs(openingBalance)),
    description: `Opening balance of ${name}`,
    postingDate: openingDate,
  });
  const isDebit = openingBalance > 0;
  await createWithin(ctx, journalCreation, {
    input: {
      generalLedgerEntries: [line(accountID, isDebit), line(OPENING_BALANCE_EQUITY, !isDebit)],
      closingOverrideReason,
    },
  });
}

function requireAccounting(ctx: Ctx): void {
  if (holds(ctx, 'Manage Accounting')) return;
  throw new Failure('forbidden', 'A new GL account and an opening balance require the Manage Accounting permission');
}

/**
 * Saves a bank account. Omitted fields keep their values. The account number also stays the same if it is sent masked.
 * Throws 404, 409 'stale' for an outdated version, 409 if another bank account has the GL account, and 422 if
 * validation fails (core/banking) or if the GL account changes after it has entries.
 */
export async function updateBankingAccount(ctx: Ctx, id: number, input: BankingAccountInput): Promise<BankingAccount> {
  const current = await ctx.tx.row(reconciledAccountSql(id));
  const isMoved = idOrNull(input.glAccountID) !== null && input.glAccountID !== current?.glAccountId;
  // Lock the ledger head first, as every posting does, so that nothing can be posted to the account afterward.
  const [, stored, links] = await Promise.all([
    isMoved ? openJournal(ctx.tx) : undefined,
    ctx.tx.row(bankingAccountsSql(ctx.today, { id, lock: true })),
    planLinks(ctx, { kind: 'bankingaccount', id }, input.documentLinks),
  ]);
  const row = required(stored);
  const before = { ...toBankingAccount(ctx, row, true), documentLinks: links.before };
  requireFresh(BankingAccount, before, input.rowVersion);
  const wanted = merged(before, input);
  const isCalledCard = input.creditCards ?? row.isCalledCard;
  wanted.creditCards = isCalledCard || row.isOnCard;
  const typed = input.accountNumber ?? undefined;
  refuseFields(checkBankingAccount({ ...wanted, accountNumber: typed }, before.accountNumber));
  if (wanted.glAccountID !== before.glAccountID) {
    if (!isMoved) throw new StartOver();
    wanted.creditCards = (await moneyAccount(ctx, wanted.glAccountID, id)) || isCalledCard;
    if (before.hasEntries) throw fixedAccount();
  }
  if (input.openingBalance) throw openingOfOld();
  if (before.active && !wanted.active) await requireNoOnlinePayments(ctx, before);
  const isTyped = typed !== undefined && typed !== before.accountNumber;
  const number = isTyped ? { plainNumber: '', sealedNumber: sealNumber(ctx, id, typed) } : {};
  const after = {
    ...wanted,
    ...(isTyped ? { accountNumber: maskNumber(typed), isNumberLost: false } : {}),
    documentLinks: links.after,
  };
  const write = [
    bankingAccounts.update({ id }, { ...after, isCalledCard, glAccountId: after.glAccountID, ...number }),
    ...links.write(id),
  ];
  return record(ctx, subject, { before, after, write });
}

/**
 * Deletes a bank account, or makes it inactive if it has entries or other records refer to it. Throws 404 if the
 * account does not exist.
 */
export async function deleteBankingAccount(ctx: Ctx, id: number): Promise<{ ok: true }> {
  // Lock the account first. Records that refer to it wait for this lock, so the checks that follow can't become
  // outdated.
  const [[stored], [use]] = await ctx.tx.inOrder([
    bankingAccountsSql(ctx.today, { id, lock: true }),
    bankingAccounts.isUsed(id),
  ]);
  const before = toBankingAccount(ctx, required(stored), true);
  await requireNoOnlinePayments(ctx, before);
  const isKept = use?.used !== false || before.hasEntries;
  const write = isKept
    ? bankingAccounts.update({ id }, { active: false, rowVersion: before.rowVersion + 1 })
    : [unlinkAll({ kind: 'bankingaccount', id }), bankingAccounts.delete({ id })];
  record(ctx, subject, { before, write });
  return { ok: true };
}

/** Throws 422 if online payments or their payouts are posted to a bank account. */
async function requireNoOnlinePayments({ tx }: Ctx, { bankingAccountID: id, name }: BankingAccount): Promise<void> {
  if ((await tx.row(onlineBankSql(id))) === undefined) return;
  throw refuse(`${name} can't be removed: online payments are posted to it`);
}

function required(row: BankingAccountRow | undefined): BankingAccountRow {
  if (row === undefined) throw notFound('Bank account');
  return row;
}

/** Returns the account with the input applied. Omitted fields keep their values. */
function merged(stored: BankingAccount, input: BankingAccountInput): BankingAccount {
  return {
    ...stored,
    name: input.name ?? stored.name,
    routingNumber: input.routingNumber ?? stored.routingNumber,
    glAccountID: input.glAccountID ?? stored.glAccountID,
    allowPayments: input.allowPayments ?? stored.allowPayments,
    allowDeposits: input.allowDeposits ?? stored.allowDeposits,
    active: input.active ?? stored.active,
    rowVersion: stored.rowVersion + 1,
  };
}

/** Returns whether the GL account is a credit card account. Throws 422 if a bank account can't use it. */
async function moneyAccount(ctx: Ctx, glAccountId: number, own: number | undefined): Promise<boolean> {
  const account = await ctx.tx.row(moneyAccountSql(glAccountId));
  const no = (message: string) => refuse(message, { glAccountID: message });
  if (account === undefined) throw no('Please Select an Account');
  if (!account.active) throw no(ACCOUNT_INACTIVE);
  if (!isMoneyAccount(accountTypeInfo(account.type, false))) {
    throw no('Please select an account of type Bank, Cash, or Credit Card');
  }
  if (account.usedBy !== null && account.usedBy !== own) {
    const message = 'This GL account is already used by another bank account';
    throw new Failure('conflict', message, { glAccountID: message });
  }
  return account.type === 'Credit Card';
}

function openingOfOld(): Failure {
  const message = 'Only a new account can have an opening balance. Post a journal entry instead.';
  return refuse(message, { openingBalance: message });
}

function fixedAccount(): Failure {
  const message = "You can't change the GL account of a bank account that has transactions";
  return refuse(message, { glAccountID: message });
}

function toBankingAccount(ctx: Ctx, row: BankingAccountRow, isSeen: boolean): BankingAccount {
  const { balance, sealedNumber: _, plainNumber: __, lastReconciledBalance, isOnCard, isCalledCard, ...shown } = row;
  const account = { ...shown, creditCards: isOnCard || isCalledCard, entityID: ctx.companyId };
  if (!isSeen) {
    const hidden = { accountNumber: '', isNumberLost: false, routingNumber: '' };
    return { ...account, ...hidden, documentLinks: [], lastReconciledDate: null, hasEntries: false };
  }
  const number = numberOf(ctx, row);
  return {
    ...account,
    accountNumber: maskNumber(number ?? ''),
    isNumberLost: number === undefined,
    currentBalance: balance,
    lastReconciledBalance,
  };
}
