/** Times the readers in a process of its own, away from other tests, and prints milliseconds as JSON. */
import { addDays, isoDate } from '@evenkeel/core/dates';
import { Dice } from '@evenkeel/core/dice';
import { cents } from '@evenkeel/core/money';
import { newLines } from '../lineKey.ts';
import { readStatementFile } from '../read.ts';
import { encodings, type PlainStatement, writers } from './writers.ts';

/** Lines over three years, in order, with texts as long as a bank's. */
function long(count: number): PlainStatement {
  const dice = new Dice(count);
  const lines = Array.from({ length: count }, (_, index) => ({
    date: addDays(isoDate('2022-01-01'), Math.floor((index * 1000) / count)),
    amount: cents(dice.between(-500_000, 500_000)),
    text: `CARD PURCHASE ${dice.between(1000, 9999)} MÜLLER & SONS ${dice.between(1, 500)}`,
    bankId: `F${index}`,
  }));
  return { accountNumber: '1', opening: cents(0), lines };
}

/** The processor's time of the quickest round. */
function milliseconds(rounds: number, work: () => void): number {
  const times = Array.from({ length: rounds }, () => {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
  return Math.round(Math.min(...times));
}

const times: Record<string, number> = {};
for (const [name, write] of Object.entries(writers)) {
  const short = encodings['UTF-8'](write(long(10_000)));
  times[`${name}: 10,000 lines`] = milliseconds(4, () => readStatementFile(short));
}
const most = long(100_000);
for (const name of ['QIF', 'CSV', 'MT940', 'BAI2'] as const) {
  const bytes = encodings['UTF-8'](writers[name](most));
  times[`${name}: 100,000 lines`] = milliseconds(1, () => readStatementFile(bytes));
}
// The bound of 25 MB comes first.
const wide = encodings['UTF-8'](writers.CAMT(long(75_000)));
times['CAMT: 75,000 lines'] = milliseconds(1, () => readStatementFile(wide));
const ofx = encodings['UTF-8'](writers.OFX(most));
const { lines = [] } = readStatementFile(ofx).statements[0] ?? {};
times['OFX: 100,000 lines'] = milliseconds(1, () => readStatementFile(ofx));
const known = new Map(newLines(lines, new Map()).map(({ key }) => [key, 1]));
times['100,000 known keys'] = milliseconds(1, () => newLines(lines, known));
console.log(JSON.stringify(times));
