import { createHash } from 'node:crypto';
import { proofFileName, proofMessage, trialBalancesByMonth } from '@evenkeel/core/books/proof';
import { notFound } from '@evenkeel/core/failure';
import { toCompanySettings, settingsSql } from '../../books/company-settings.ts';
import { type ProofKey, proofKey } from '../../platform/db/proof-key.ts';
import type { Pool } from '../../platform/db/connect.ts';
import type { Tx } from '../../platform/db/tx.ts';
import type { Ctx } from '../../platform/http/context.ts';
import type { StoredFile } from '../../platform/http/route.ts';
import { tellEvent } from '../../platform/http/security-log.ts';
import { selectAccounts, selectCompanyName } from './export.sql.ts';
import { booksFile, exportText } from './export.ts';
import { fetchProofLines, openProofLines, type ProofLine, selectMonthSums, selectRoot } from './proof.sql.ts';

/** The modulus of the two sums that locate a changed byte (docs/proof.md). */
const PRIME = 2 ** 31 - 1;

/** Collects the digest and the sums for the last line of a proof. */
export class Tally {
  readonly #hash = createHash('sha256');
  #length = 0;
  readonly #sums: [number, number] = [0, 0];

  /** Adds a line of content. Returns the line with its digest, as it appears in the file. */
  line(content: object): string {
    const json = JSON.stringify(content);
    const text = `${createHash('sha256').update(json).digest('hex').slice(0, 16)} ${json}\n`;
    const bytes = Buffer.from(text);
    this.#hash.update(bytes);
    let [plain, placed] = this.#sums;
    for (const byte of bytes) {
      this.#length += 1;
      plain += byte;
      placed = (placed + byte * this.#length) % PRIME;
    }
    this.#sums[0] = plain % PRIME;
    this.#sums[1] = placed;
    return text;
  }

  end({ sign }: ProofKey): string {
    const digest = this.#hash.digest('hex');
    return `end ${digest} ${this.#sums.join(' ')} ${sign(proofMessage(digest, this.#sums))}\n`;
  }
}

/**
 * Writes the proof of a company's books (docs/proof.md): the root of the hash chain, the accounts, the trial balances
 * by month on both bases, the journal, and the signature. Throws 404 for an unknown company.
 */
async function* writeProof(tx: Tx, key: ProofKey, exportedAt: string): AsyncGenerator<string> {
  const [company, head, stored, accounts, sums] = await Promise.all([
    tx.row(selectCompanyName()),
    tx.row(selectRoot()),
    tx.rows(settingsSql()),
    tx.rows(selectAccounts()),
    tx.rows(selectMonthSums()),
  ]);
  if (company === undefined || head === undefined) throw notFound('Company');
  const { fyStartMonth, defaultREAccountId: retainedEarnings } = toCompanySettings(stored);
  const tally = new Tally();
  yield tally.line({
    format: 'evenkeel proof 1',
    company: company.displayname,
    companyId: tx.companyId,
    exportedAt,
    publicKey: key.publicKey,
    root: head.root,
    fiscalYearStart: fyStartMonth,
    retainedEarnings,
  });
  for (const account of accounts) yield tally.line({ account });
  const books = {
    accounts: accounts.map((account) => ({ ...account, contra: false, category: '', label: account.name })),
    fyStartMonth,
    retainedEarningsAccountId: retainedEarnings,
  };
  for (const month of trialBalancesByMonth(sums, books)) yield tally.line(month);
  await tx.rows(openProofLines());
  for await (const [first, ...more] of transactions(tx)) {
    const { line, ...transaction } = first;
    yield tally.line({ ...transaction, lines: [line, ...more.map((each) => each.line)] });
  }
  yield tally.end(key);
}

/** Groups consecutive lines into transactions. Keeps only one fetch in memory at a time. */
async function* transactions(tx: Tx): AsyncGenerator<[ProofLine, ...ProofLine[]]> {
  let lines: [ProofLine, ...ProofLine[]] | undefined;
  for (;;) {
    const fetched = await tx.rows(fetchProofLines());
    for (const line of fetched) {
      if (lines !== undefined && lines[0].id === line.id) lines.push(line);
      else {
        if (lines !== undefined) yield lines;
        lines = [line];
      }
    }
    if (fetched.length === 0) break;
  }
  if (lines !== undefined) yield lines;
}

/** Writes a company's proof from one database snapshot. Throws 404 for an unknown company. */
export function exportProof(
  pool: Pool,
  { companyId, key }: { companyId: number; key: ProofKey },
  write: (text: string) => Promise<void>,
): Promise<void> {
  return exportText(pool, companyId, (tx, at) => writeProof(tx, key, at), write);
}

/** Returns a company's proof as a file, for administrators. Only one proof per company is created at a time. */
export async function proofFile({ services, companyId, userId, today }: Ctx): Promise<StoredFile> {
  const key = await proofKey(services);
  tellEvent(services, 'books exported', { userId, companyId, format: 'proof' });
  const write = (pass: (text: string) => Promise<void>) => exportProof(services.pool, { companyId, key }, pass);
  return booksFile(services, companyId, {
    name: proofFileName(today),
    contentType: 'text/plain; charset=utf-8',
    write,
  });
}

/** Returns the public key that signs proofs, so that an outsider can compare it with the key in the file. */
export async function proofPublicKey({ services }: Ctx): Promise<{ publicKey: string }> {
  const { publicKey } = await proofKey(services);
  return { publicKey };
}
