// Reads statement files and sends `StatementTimes`. This is a new process, because the server reads each file in a
// worker thread, whose memory contains nothing else. Arguments: the lines in a short and a long file, and the rounds.
import { addDays, isoDate } from '@evenkeel/core/dates';
import { Dice } from '@evenkeel/core/dice';
import { cents } from '@evenkeel/core/money';
import { inOneGo } from '@evenkeel/core/steps';
import { newLines } from '@evenkeel/statements/lineKey';
import { readStatementFile } from '@evenkeel/statements/read';
import { encodings, type PlainStatement, writers } from '@evenkeel/statements/testing/writers';
import { median } from './figures.ts';

/** Processor times in milliseconds. */
export interface StatementTimes {
  read: { name: string; few: number; many: number }[];
  /** The time to find that none of the long file's lines is new. */
  again: number;
}

/** Returns lines in date order over three years, with text as long as a bank's. */
function statementOf(count: number): PlainStatement {
  const dice = new Dice(count);
  const lines = Array.from({ length: count }, (_, index) => ({
    date: addDays(isoDate('2022-01-01'), Math.floor((index * 1000) / count)),
    amount: cents(dice.between(-500_000, 500_000)),
    text: `CARD PURCHASE ${dice.between(1000, 9999)} MÜLLER & SONS ${dice.between(1, 500)}`,
    bankId: `F${index}`,
  }));
  return { accountNumber: '1', opening: cents(0), lines };
}

/** Returns the median processor time of several rounds, in milliseconds. */
function timeOf(rounds: number, work: () => void): number {
  const times = Array.from({ length: rounds }, () => {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
  return median(times);
}

const [short = 0, long = 0, rounds = 0] = process.argv.slice(2).map(Number);
const [shortFile, longFile] = [statementOf(short), statementOf(long)];
const read = Object.entries(writers).map(([name, write]) => {
  const [few, many] = [encodings['UTF-8'](write(shortFile)), encodings['UTF-8'](write(longFile))];
  return {
    name,
    few: timeOf(rounds, () => readStatementFile(few)),
    many: timeOf(1, () => readStatementFile(many)),
  };
});
const { lines = [] } = readStatementFile(encodings['UTF-8'](writers.OFX(longFile))).statements[0] ?? {};
const known = new Map(inOneGo(newLines(lines, new Map())).map(({ key }) => [key, 1]));
const times: StatementTimes = { read, again: timeOf(rounds, () => inOneGo(newLines(lines, known))) };
process.send?.(times);
process.disconnect();
