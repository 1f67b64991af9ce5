import { addDays, isoDate } from '@evenkeel/core/dates';
import { Dice } from '@evenkeel/core/dice';
import { cents } from '@evenkeel/core/money';
import { inOneGo } from '@evenkeel/core/steps';
import { newLines } from '@evenkeel/statements/lineKey';
import { readStatementFile } from '@evenkeel/statements/read';
import { encodings, type PlainStatement, writers } from '@evenkeel/statements/testing/writers';
import { type Chapter, duration, figure, median, table } from './figures.ts';

/** The target for a file with 10,000 lines, and the maximum ratio for a file that is ten times as long. */
const LIMIT_MS = 300;
const LIMIT_GROWTH = 15;
const SHORT = 10_000;
const LONG = 75_000;

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

/** Measures the readers of statement files, each with a short file and a long file, and the selection of new lines. */
export function measureStatements(rounds: number): Chapter {
  const [short, long] = [statementOf(SHORT), statementOf(LONG)];
  const read = Object.entries(writers).map(([name, write]) => {
    const [few, many] = [encodings['UTF-8'](write(short)), encodings['UTF-8'](write(long))];
    return {
      name,
      few: timeOf(rounds, () => readStatementFile(few)),
      many: timeOf(1, () => readStatementFile(many)),
    };
  });
  const { lines = [] } = readStatementFile(encodings['UTF-8'](writers.OFX(long))).statements[0] ?? {};
  const known = new Map(inOneGo(newLines(lines, new Map())).map(({ key }) => [key, 1]));
  const again = timeOf(rounds, () => inOneGo(newLines(lines, known)));
  const slowest = read.reduce((one, other) => (other.few > one.few ? other : one));
  const growth = Math.max(...read.map(({ few, many }) => many / few));
  const rows = read.map(({ name, few, many }) => [name, duration(few), duration(many)]);
  return {
    title: 'Statement files',
    text: [
      `Time of the processor to read a file of each format. To find that none of ${figure(LONG)} lines is new took`,
      `${duration(again)}.`,
      '',
      table(['format', `${figure(SHORT)} lines`, `${figure(LONG)} lines`], rows),
    ].join('\n'),
    aims: [
      {
        wanted: `A file of ${figure(SHORT)} lines read within ${duration(LIMIT_MS)}, whatever its format`,
        seen: `${duration(slowest.few)} (${slowest.name})`,
        isMet: slowest.few <= LIMIT_MS,
      },
      {
        wanted: `One of ${figure(LONG)} lines within ${figure(LIMIT_GROWTH)} times that`,
        seen: `${figure(growth)} times`,
        isMet: growth <= LIMIT_GROWTH,
      },
    ],
  };
}
