import { generateKeyPairSync, sign } from 'node:crypto';
import { expect, test } from 'vitest';
import { CHECKING, SALES } from '@evenkeel/core/books/accounts';
import { chain, type ChainEnd } from '@evenkeel/core/books/ledger';
import { addDays, isoDate } from '@evenkeel/core/dates';
import { hashChain } from '../../books/ledger/journal.ts';
import { entry, posting } from '../../books/ledger/testing/books.ts';
import { Tally } from './proof.ts';
import { loadVerifier } from './testing/verifier.ts';

const TRANSACTIONS = 250_000;
/** The limit on processor time, in milliseconds. */
const MOST_MS = 5000;

/** Returns, as one buffer, the proof of a journal whose transactions have four lines each. */
function bigProof(): Buffer {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const shown = publicKey.export({ type: 'spki', format: 'der' }).subarray(-32).toString('hex');
  let end: ChainEnd = { transactionId: 1, lineId: 1, postingNo: 1, hash: '' };
  const rows = Array.from({ length: TRANSACTIONS }, (_, at) => {
    const text = `Invoice ${at} for services`;
    const amounts = [at + 1, -at - 1, at + 2, -at - 2];
    const entries = amounts.map((amount) =>
      entry(amount > 0 ? CHECKING : SALES, amount, { description: text, entityId: 7 }),
    );
    const made = chain(
      end,
      {
        companyId: 1,
        sourceType: 'journal',
        sourceId: 0,
        createdBy: 1,
        createdAt: new Date(1_780_000_000_000 + at),
        posting: posting(addDays(isoDate('2020-01-01'), at % 2000), entries, text),
      },
      hashChain,
    );
    end = made.end;
    return made.transaction;
  });
  const tally = new Tally();
  const header = { format: 'evenkeel proof 1', company: 'Ames', companyId: 1, publicKey: shown, root: end.hash };
  const parts = [tally.line({ ...header, fiscalYearStart: 1, retainedEarnings: 1 })];
  for (const row of rows) {
    const lines = row.lines.map((line) => [
      line.id,
      line.accountId,
      line.amount,
      line.basis,
      line.entityId,
      null,
      null,
      null,
      line.description,
    ]);
    parts.push(
      tally.line({
        id: row.id,
        no: row.postingNo,
        date: row.postingDate,
        source: row.sourceType,
        sourceId: row.sourceId,
        by: row.createdBy,
        at: row.createdAt.toISOString().replace('Z', '000Z'),
        text: row.description,
        hash: row.hash,
        lines,
      }),
    );
  }
  parts.push(
    tally.end({ publicKey: shown, sign: (text) => sign(null, Buffer.from(text), privateKey).toString('hex') }),
  );
  return Buffer.concat(parts.map((part) => Buffer.from(part)));
}

test('the verifier checks 1,000,000 lines in less than 5 seconds', async () => {
  const bytes = bigProof();
  const { verify } = await loadVerifier();
  const before = process.cpuUsage();
  const { faults, lines } = await verify(bytes);
  const { user, system } = process.cpuUsage(before);
  const ms = (user + system) / 1000;
  console.log(`${lines} lines in ${(bytes.length / 1e6).toFixed(0)} MB: ${ms.toFixed(0)} ms of processor time`);
  expect(lines).toBe(1_000_000);
  // The file has no trial balances, so every problem that is found must be about trial balances.
  expect(faults.every((fault) => fault.startsWith('Trial balance'))).toBe(true);
  expect(ms).toBeLessThan(MOST_MS);
});
