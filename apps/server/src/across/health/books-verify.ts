import { sql } from 'kysely';
import { auditFaults } from '../../features/audit/verify.sql.ts';
import { fileFaults } from '../../books/attachments/verify.ts';
import { bankChecks } from '../../features/banking/verify.ts';
import type { Pool } from '../../platform/db/connect.ts';
import { databaseCode } from '../../platform/db/errors.ts';
import type { Runnable } from '../../platform/db/query.ts';
import { readCompany } from '../../platform/db/tx.ts';
import type { Tx } from '../../platform/db/tx.ts';
import { markFaults } from '../../books/ledger/marks.sql.ts';
import { memberRights, roleRights, sealedTables, sealFaults } from '../../books/ledger/seals.sql.ts';
import { nextDateFaults } from '../scheduled/verify.ts';
import { estimateFaults } from '../../features/billing/estimates.sql.ts';
import { subledgerChecks } from '../../books/documents/verify.ts';
import {
  financeChargeFaults,
  type FaultRow,
  type FaultyRecord,
  MOST_FAULTS,
  templateFaults,
  workItemFaults,
} from '../../books/documents/verify.sql.ts';
import {
  balanceFaults,
  type ChainEnd,
  chainEndBehind,
  chainFaults,
  dateFaults,
  headFaults,
  idFaults,
  ledgerSize,
  liveFaults,
  reversalFaults,
  searchFaults,
  searchQueries,
  totalFaults,
} from '../../books/ledger/verify.sql.ts';

/** Something in a company's books that does not hold; the entry and the record it concerns, where there is one. */
export interface Fault {
  check: string;
  transactionId?: number;
  postingNo?: number;
  message: string;
  record?: FaultyRecord;
}

export interface Verification {
  companyId: number;
  transactions: number;
  lines: number;
  /** End of the hash chain, hexadecimal: kept elsewhere, it proves later that nothing before it was changed. */
  lastHash: string;
  /** Empty when everything holds; at most 20 of a check. */
  faults: Fault[];
}

const CHAIN = 'chain';

/** A check that is one statement. */
const by = (faultsOf: () => Runnable<FaultRow>) => (tx: Tx) => tx.rows(faultsOf());

const checks: Record<string, (tx: Tx) => Promise<FaultRow[]>> = {
  balance: by(balanceFaults),
  dates: by(dateFaults),
  ids: by(idFaults),
  reversals: by(reversalFaults),
  'live lines': by(liveFaults),
  totals: by(totalFaults),
  search: async (tx) => tx.rows(searchFaults(await tx.rows(searchQueries()))),
  head: by(headFaults),
  reconciliations: by(markFaults),
  'work items': by(workItemFaults),
  estimates: by(estimateFaults),
  templates: async (tx) => [...(await tx.rows(templateFaults())), ...(await nextDateFaults(tx))],
  'finance charges': by(financeChargeFaults),
  members: memberFaults,
  'audit log': by(auditFaults),
};

/**
 * Checks all that must hold in a company's books, from the stored columns, at one moment: the hash chain, both views'
 * balance of every transaction, ids, reversals, live lines, totals by day and month, the search, the head, that
 * reconciliations prove their statements, that work items are billed once, that templates made what they name and know
 * their next date, that copies of a role or of the company in memberships agree with it, that the audit log is whole,
 * and that documents agree with the ledger.
 * The pool may be the owner's, as the command line's (it has no time limit), or the runtime role's: every statement
 * names its company, so both see the same.
 */
export function verifyCompany(pool: Pool, companyId: number): Promise<Verification> {
  return readCompany(pool, companyId, verifyWithin);
}

/** Verifies inside a transaction that is already open (a restore verifies before it commits). */
export async function verifyWithin(tx: Tx): Promise<Verification> {
  const faults: Fault[] = [];
  for (const [check, find] of await allChecks(tx)) {
    for (const row of await outcome(tx, find)) faults.push(named(check, row));
  }
  const size = await tx.row(ledgerSize());
  if (size === undefined) throw new Error('counting lines answered nothing');
  return { companyId: tx.companyId, ...size, faults };
}

/** The names of all checks, each once. */
export async function checkNames(tx: Tx): Promise<string[]> {
  return [...new Set((await allChecks(tx)).map(([check]) => check))];
}

/** Reads in a transaction: in the one that is open, or in one of its own for each call. */
export type Reads = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>;

/** Entries of the chain that are read at a time. */
const CHAIN_PIECE = 5000;

/**
 * The faults of the whole chain, piece by piece. Entries are only added, so that the pieces fit together whenever each
 * was read; and a transaction that stays open for minutes would keep all that others replace meanwhile in their way.
 */
export async function wholeChainFaults(read: Reads, piece = CHAIN_PIECE): Promise<FaultRow[]> {
  const [altered, breaks]: [FaultRow[], FaultRow[]] = [[], []];
  let behind: ChainEnd = { postingNo: 0, hash: Buffer.alloc(0) };
  for (;;) {
    const { end, found } = await read((tx) => chainPiece(tx, behind, piece));
    if (end === undefined) return [...altered, ...breaks].slice(0, MOST_FAULTS);
    for (const row of found) ('isAltered' in row && row.isAltered ? altered : breaks).push(row);
    behind = end;
  }
}

async function chainPiece(tx: Tx, behind: ChainEnd, piece: number) {
  const end = await tx.row(chainEndBehind(behind.postingNo, piece));
  const found = end === undefined ? [] : await outcome(tx, () => tx.rows(chainFaults(behind, end.postingNo)));
  return { end, found };
}

/** The faults of one name as `faultsOf` finds them, but long checks in several transactions. */
export async function faultsBy(read: Reads, name: string): Promise<Fault[]> {
  if (name === CHAIN) return (await wholeChainFaults(read)).map((row) => named(CHAIN, row));
  return read((tx) => faultsOf(tx, name));
}

/** The faults that the checks of one name find, at most 20 of each. */
export async function faultsOf(tx: Tx, name: string): Promise<Fault[]> {
  const faults: Fault[] = [];
  for (const [check, find] of await allChecks(tx)) {
    if (check === name) for (const row of await outcome(tx, find)) faults.push(named(check, row));
  }
  return faults;
}

type Find = () => Promise<FaultRow[]>;

async function allChecks(tx: Tx): Promise<[check: string, find: Find][]> {
  const tables = await tx.rows(sealedTables());
  return [
    [CHAIN, () => wholeChainFaults((work) => work(tx))],
    ...Object.entries(checks).map(([check, find]): [string, Find] => [check, () => find(tx)]),
    ...subledgerChecks(tx),
    ...bankChecks(tx),
    ...tables.map((table): [string, Find] => ['saved values', () => tx.rows(sealFaults(table))]),
    ['files', () => fileFaults(tx)],
  ];
}

/** Every member is a user, with the rights of the role that he has and the time zone and the rule of the company. */
async function memberFaults(tx: Tx): Promise<FaultRow[]> {
  // Members are the installation's and roles the company's: no statement reads both.
  const [members, roles] = [await tx.rows(memberRights()), await tx.rows(roleRights())];
  const wanted = new Map(roles.map((role) => [role.roleId, JSON.stringify(role)]));
  const found = members.flatMap(({ userId, isNobody, ...rights }) => {
    if (!isNobody && wanted.get(rights.roleId) === JSON.stringify(rights)) return [];
    const fault = isNobody
      ? 'is not a user'
      : 'has permissions that differ from the role, or a name, time zone, or setting that differs ' +
        'from the company';
    const record = { kind: 'user', id: userId };
    return [{ transactionId: null, postingNo: null, message: `member ${userId} ${fault}`, record }];
  });
  return found.slice(0, MOST_FAULTS);
}

/** The faults that a check finds. A value that it cannot even read is one too, and hides none of the others. */
async function outcome<R extends FaultRow>(tx: Tx, find: () => Promise<R[]>): Promise<(R | FaultRow)[]> {
  await tx.rows(sql`savepoint before_check`);
  try {
    return await find();
  } catch (error) {
    if (!isOfValue(error)) throw error;
    await tx.rows(sql`rollback to savepoint before_check`);
    return [{ transactionId: null, postingNo: null, message: `a stored value cannot be read: ${error.message}` }];
  }
}

/** An error of the database about a value (class 22), or of the program about its shape. */
function isOfValue(error: unknown): error is Error {
  return error instanceof TypeError || databaseCode(error)?.startsWith('22') === true;
}

function named(check: string, { transactionId, postingNo, message, record }: FaultRow): Fault {
  return {
    check,
    ...(transactionId === null ? {} : { transactionId }),
    ...(postingNo === null ? {} : { postingNo }),
    message,
    ...(record === null || record === undefined ? {} : { record }),
  };
}
