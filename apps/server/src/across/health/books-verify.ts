import { sql } from 'kysely';
import { auditFaults } from '../../features/audit/verify.sql.ts';
import { fileFaults } from '../../books/attachments/verify.ts';
import { signOffFaults } from '../../features/accounting/sign-offs.sql.ts';
import { bankChecks } from '../../features/banking/verify.ts';
import type { Pool } from '../../platform/db/connect.ts';
import { databaseCode } from '../../platform/db/errors.ts';
import type { Runnable } from '../../platform/db/query.ts';
import { readCompany } from '../../platform/db/tx.ts';
import type { Tx } from '../../platform/db/tx.ts';
import { markFaults } from '../../books/ledger/marks.sql.ts';
import { memberRights, roleRights, sealedTables, sealFaults } from '../../books/ledger/seals.sql.ts';
import { onlineFaults } from '../online/clearing.ts';
import { openingFaults } from '../opening/verify.ts';
import { nextDateFaults } from '../scheduled/verify.ts';
import { taxReturnFaults } from '../taxes/verify.ts';
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

/** A problem in a company's books, with the affected entry and record, if any. */
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
  /**
   * The end of the hash chain in hexadecimal. A copy that is stored elsewhere can later prove that nothing before it
   * was changed.
   */
  lastHash: string;
  /** The problems, at most 20 per check. Empty if the books are correct. */
  faults: Fault[];
}

const CHAIN = 'chain';

/** Returns a check that consists of one statement. */
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
  'opening balances': openingFaults,
  'sales tax returns': taxReturnFaults,
  'account sign-offs': by(signOffFaults),
  'online payments': onlineFaults,
  templates: async (tx) => [...(await tx.rows(templateFaults())), ...(await nextDateFaults(tx))],
  'finance charges': by(financeChargeFaults),
  members: memberFaults,
  'audit log': by(auditFaults),
};

/**
 * Checks everything that must be true in a company's books, from the stored columns and in one database snapshot: the
 * hash chain, the balance of every transaction on both bases, IDs, reversals, live lines, totals by day and month, the
 * search index, the head, reconciliations against their statements, work items that were billed, opening balances,
 * sales tax returns, sign-offs, online payments, schedules with their created documents and next dates, copies of roles
 * and companies in memberships, the audit log, and documents against the ledger. `pool` can belong to the owner, as on
 * the command line (without a time limit), or to the runtime role. Every statement names its company, so the result is
 * the same for both roles.
 */
export function verifyCompany(pool: Pool, companyId: number): Promise<Verification> {
  return readCompany(pool, companyId, verifyWithin);
}

/** Verifies inside an open transaction. A restore calls this function before its commit. */
export async function verifyWithin(tx: Tx): Promise<Verification> {
  const faults: Fault[] = [];
  for (const [check, find] of await allChecks(tx)) {
    for (const row of await outcome(tx, find)) faults.push(named(check, row));
  }
  const size = await tx.row(ledgerSize());
  if (size === undefined) throw new Error('the line count returned no rows');
  return { companyId: tx.companyId, ...size, faults };
}

/** Returns the distinct names of all checks. */
export async function checkNames(tx: Tx): Promise<string[]> {
  return [...new Set((await allChecks(tx)).map(([check]) => check))];
}

/** A function that reads, either in the open transaction or in a separate transaction for each call. */
export type Reads = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>;

/** The number of chain entries to read at a time. */
const CHAIN_PIECE = 5000;

/**
 * Returns the problems in the whole chain, which is read in parts. Entries are only ever added, so the parts fit
 * together regardless of when each was read. A single transaction would take minutes, during which the database could
 * not clean up replaced rows.
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

/**
 * Returns the problems found by the checks that share a name. Unlike `faultsOf`, runs long checks in several
 * transactions.
 */
export async function faultsBy(read: Reads, name: string): Promise<Fault[]> {
  if (name === CHAIN) return (await wholeChainFaults(read)).map((row) => named(CHAIN, row));
  return read((tx) => faultsOf(tx, name));
}

/** Returns the problems found by the checks that share a name, with at most 20 problems per check. */
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

/**
 * Finds members who are not users, or whose permissions, time zone, or sign-in rule differs from that of their role or
 * company.
 */
async function memberFaults(tx: Tx): Promise<FaultRow[]> {
  // Members belong to the installation and roles belong to the company, so no single statement reads both.
  const [members, roles] = [await tx.rows(memberRights()), await tx.rows(roleRights())];
  const wanted = new Map(roles.map((role) => [role.roleId, JSON.stringify(role)]));
  const found = members.flatMap(({ userId, isNobody, ...rights }) => {
    if (!isNobody && wanted.get(rights.roleId) === JSON.stringify(rights)) return [];
    const fault = isNobody
      ? 'is not a user'
      : "has permissions that differ from the role's, or a name, time zone, or setting that differs from the " +
        "company's";
    const record = { kind: 'user', id: userId };
    return [{ transactionId: null, postingNo: null, message: `member ${userId} ${fault}`, record }];
  });
  return found.slice(0, MOST_FAULTS);
}

/**
 * Returns the problems found by a check. A value that can't be read is also a problem, and must not hide other
 * problems.
 */
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

/** Returns whether the error is about a value (database class 22) or about a value's format in code. */
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
