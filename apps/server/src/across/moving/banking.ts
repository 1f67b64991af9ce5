import type { ProofAccount, ProofRow } from '@evenkeel/contract/moving';
import { UNDEPOSITED } from '@evenkeel/core/books/accounts';
import { addDays, formatDate } from '@evenkeel/core/dates';
import { present, refuse } from '@evenkeel/core/failure';
import { type Cents, cents, formatAmount, sum } from '@evenkeel/core/money';
import { importedKinds, isCheck, numberedKind, usedNumbers } from '@evenkeel/core/moving/numbers';
import type { DocumentKind } from '@evenkeel/core/kinds/kind';
import { heldReceipts } from '@evenkeel/core/moving/receipts';
import type { SourceBooks, SourceTransaction } from '@evenkeel/imports/books';
import { bankingAccounts } from '../../features/banking/accounts.sql.ts';
import {
  lastReconciliationSql,
  nextReconciliationSql,
  reconciliations,
} from '../../features/banking/reconciliation.sql.ts';
import { skipNumbers } from '../../books/ledger/number-skips.ts';
import { takeIds } from '../../platform/db/query.ts';
import type { Tx } from '../../platform/db/tx.ts';
import { sql } from 'kysely';
import { clearThrough, heldLines, type MovedReconciliation } from './banking.sql.ts';
import { plural, type ProofSubject } from './balances.ts';
import { identityOf } from './mapping.ts';
import type { Brought, SourceFacts } from './moving.sql.ts';
import { eachTransaction, type Writing } from './writing.ts';

/** A move's bank accounts with their opening reconciliations, the undeposited receipts, and the next numbers. */

/** A bank or card account in the source, and its GL account in Evenkeel. */
export interface MovedBank {
  key: string;
  name: string;
  accountId: number;
  isActive: boolean;
}

/**
 * Creates a bank account for each GL account that doesn't have one yet. Returns the bank account of each GL account.
 */
export async function writeBanks(
  tx: Tx,
  banks: readonly MovedBank[],
  note: (kind: 'bankAccount', key: string, id: number, isNew: boolean) => void,
): Promise<{ byAccount: Map<number, number>; created: number }> {
  const stored = await tx.rows(bankingAccounts.find({}));
  const byAccount = new Map(stored.map(({ id, glAccountId }) => [glAccountId, id]));
  const known = new Set(byAccount.keys());
  const fresh = new Map(
    banks.flatMap((bank) => (bank.isActive && !known.has(bank.accountId) ? [[bank.accountId, bank]] : [])),
  );
  if (fresh.size > 0) {
    const { ids } = await tx.one(sql<{ ids: number[] }>`
      select ${takeIds('banking_account_id_seq', fresh.size)} as ids`);
    const rows = [...fresh.values()].map(({ name, accountId }, at) => {
      const id = present(ids[at], 'bank account ID');
      byAccount.set(accountId, id);
      return { id, name, sealedNumber: null, glAccountId: accountId };
    });
    await tx.rows(bankingAccounts.insertMany(rows));
  }
  for (const { key, accountId } of banks) {
    const id = byAccount.get(accountId);
    if (id !== undefined) note('bankAccount', key, id, fresh.get(accountId)?.key === key);
  }
  return { byAccount, created: fresh.size };
}

/** The result of the opening reconciliations: their row in the proof, and the accounts whose balances differ. */
export interface Reconciled {
  row: ProofRow | undefined;
  differing: ProofAccount[];
  brought: Brought[];
}

/**
 * Reconciles each bank account through the date of its last reconciliation in the old program, to its balance on that
 * date, and clears all entries through that date. Throws 422 for a date before the start of the history or before the
 * account's last reconciliation.
 */
export async function reconcileBanks(
  writing: Writing,
  { accounts, banks }: { accounts: ReadonlyMap<string, number>; banks: ReadonlyMap<number, number> },
  subjects: ReadonlyMap<number, ProofSubject>,
): Promise<Reconciled> {
  const { ctx, choices, summary } = writing;
  const from = choices.history?.from ?? null;
  const result: Reconciled = { row: undefined, differing: [], brought: [] };
  const asked = askedOf(choices.reconciled ?? {}, accounts, subjects);
  for (const { key, accountId, date, balance } of asked) {
    const { name = '', number = '' } = subjects.get(accountId) ?? {};
    const bankAccountId = banks.get(accountId);
    if (bankAccountId === undefined) continue;
    const last = await ctx.tx.row(lastReconciliationSql(bankAccountId));
    if (last !== undefined && date <= last.date) {
      // A repeated import adds nothing.
      if (date === last.date && balance === last.balance) continue;
      throw refuse(
        `${name} is already reconciled through ${formatDate(last.date)}. Remove its reconciliation under Match.`,
      );
    }
    if (from !== null && date < addDays(from, -1)) {
      const first = formatDate(addDays(from, -1));
      throw refuse(
        `The reconciliation of ${name} is before the start date. Enter a reconciliation date on or after ${first}.`,
      );
    }
    const { id } = await ctx.tx.one(nextReconciliationSql());
    const moved: MovedReconciliation = { id, accountId, date };
    const lastBalance = last?.balance ?? cents(0);
    await ctx.tx.rows(
      reconciliations.insert({
        id,
        bankAccountId,
        statementDate: date,
        lastBalance,
        statementBalance: balance,
        bankCharge: cents(0),
        bankChargeAccountID: null,
        interest: cents(0),
        interestAccountID: null,
        savedBy: ctx.userId,
      }),
    );
    const { amount } = await ctx.tx.one(clearThrough(moved));
    const ledger = cents(lastBalance + amount);
    const identity = identityOf(summary.system, 'bankReconciliation', `${key} ${date}`);
    result.brought.push({ kind: 'bankReconciliation', identity, recordId: id, isNew: true });
    const difference = cents(ledger - balance);
    result.row = rowWith(result.row, { balance, ledger, difference });
    if (difference === 0) continue;
    result.differing.push({
      key,
      number,
      name,
      lastAgreeing: null,
      monthEnd: date,
      source: balance,
      ledger,
      difference,
      differenceAtEnd: difference,
    });
  }
  return result;
}

interface Asked {
  key: string;
  accountId: number;
  date: MovedReconciliation['date'];
  balance: Cents;
}

/**
 * Returns the reconciliations by GL account. Throws 422 if source accounts that are imported into one account have
 * different dates.
 */
function askedOf(
  given: NonNullable<Writing['choices']['reconciled']>,
  accounts: ReadonlyMap<string, number>,
  subjects: ReadonlyMap<number, ProofSubject>,
): Asked[] {
  const asked = new Map<number, Asked>();
  for (const [key, { date, balance }] of Object.entries(given)) {
    const accountId = accounts.get(key);
    if (accountId === undefined) continue;
    const other = asked.get(accountId);
    if (other !== undefined && other.date !== date) {
      const name = subjects.get(accountId)?.name ?? '';
      throw refuse(
        `Two accounts are matched to ${name}. Enter the same reconciliation date for both, or leave both empty.`,
      );
    }
    asked.set(accountId, { key, accountId, date, balance: sum([balance, other?.balance ?? cents(0)]) });
  }
  return [...asked.values()];
}

function rowWith(
  row: ProofRow | undefined,
  { balance, ledger, difference }: Record<'balance' | 'ledger' | 'difference', Cents>,
): ProofRow {
  const total = (row?.total ?? 0) + 1;
  return {
    kind: 'reconciliation',
    name: 'Opening reconciliations',
    compared: plural(total, 'bank account'),
    source: cents((row?.source ?? 0) + balance),
    ledger: cents((row?.ledger ?? 0) + ledger),
    difference: cents((row?.difference ?? 0) + Math.abs(difference)),
    differing: (row?.differing ?? 0) + (difference === 0 ? 0 : 1),
    total,
  };
}

/** Returns the title and text for an opening reconciliation whose balance differs. */
export function reconciliationWords([first, ...others]: readonly ProofAccount[]) {
  if (first === undefined) return undefined;
  const { name, monthEnd, source, ledger, difference } = first;
  const more =
    others.length === 0
      ? ''
      : `${plural(others.length, 'other bank account')} also ${others.length === 1 ? 'differs' : 'differ'}. `;
  return {
    title: `${name} differs by ${formatAmount(cents(Math.abs(difference)))} on ${formatDate(monthEnd)}`,
    text:
      `The files show a balance of ${formatAmount(ledger)}, but the reconciled balance is ${formatAmount(source)}. ` +
      `${more}Choose a date when nothing was outstanding, or remove the reconciliation under Match and reconcile ` +
      'in Banking later. The import was rolled back.',
  };
}

/** Finds the receipts that no deposit in the history contains, so that only these can be deposited. */
export async function waitingReceipts(tx: Tx, system: string, ids: readonly number[]): Promise<Brought[]> {
  const lines = await tx.rows(heldLines(ids, UNDEPOSITED));
  return heldReceipts(lines).map((id) => ({
    kind: 'receipt',
    identity: identityOf(system, 'receipt', String(id)),
    recordId: id,
    isNew: false,
  }));
}

/** Moves the next document numbers past the numbers in the files. */
export async function moveNumbers(tx: Tx, books: SourceBooks, moveId: number): Promise<void> {
  const kinds = { invoice: numberedKind('Invoice'), creditMemo: numberedKind('Credit memo') };
  const named: { kind: DocumentKind; number: string }[] = [];
  const add = (kind: DocumentKind | undefined, number: string): void => {
    if (kind !== undefined) named.push({ kind, number });
  };
  await eachTransaction(books, ({ type, number = '' }) => add(numberedKind(type), number));
  for (const { kind, number = '' } of books.documents) {
    if (kind === 'invoice' || kind === 'creditMemo') add(kinds[kind], number);
  }
  const used = usedNumbers(named);
  if (used.length > 0) await tx.inOrder(skipNumbers(used, moveId));
}

/** The starting numbers for the kinds of records whose next numbers an import can change. */
export const FIRST_NUMBERS = importedKinds.flatMap(({ source: kind, firstNumber }) =>
  firstNumber === null ? [] : [{ kind, first: firstNumber }],
);

const LATEST_CHECKS = 50;

/** Returns the highest check number among the latest checks of each bank account. */
export async function lastChecks(
  { books, summary }: Writing,
  { accounts, banks }: { accounts: ReadonlyMap<string, number>; banks: ReadonlyMap<number, number> },
): Promise<{ brought: Brought; source: SourceFacts }[]> {
  const checks = new Map<number, Omit<SourceTransaction, 'lines'>[]>();
  await eachTransaction(books, ({ lines, ...transaction }) => {
    const { type, number = '' } = transaction;
    if (!isCheck(type) || !/^\d{1,18}$/.test(number)) return;
    for (const { account, amount } of lines) {
      const bank = banks.get(accounts.get(account) ?? 0);
      if (bank === undefined || amount >= 0) continue;
      const own = checks.get(bank) ?? [];
      own.push(transaction);
      checks.set(bank, own);
    }
  });
  return [...checks].flatMap(([recordId, all]) => {
    const latest = all.toSorted((a, b) => (a.date < b.date ? 1 : a.date > b.date ? -1 : 0)).slice(0, LATEST_CHECKS);
    const [check] = latest.toSorted((a, b) => (BigInt(a.number ?? 0) < BigInt(b.number ?? 0) ? 1 : -1));
    if (check === undefined) return [];
    const { type, number = '', place } = check;
    const identity = identityOf(summary.system, 'check', `${recordId} ${number}`);
    return [{ brought: { kind: 'check', identity, recordId, isNew: false }, source: { type, number, ...place } }];
  });
}
