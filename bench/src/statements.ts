import { answerOf } from './child.ts';
import { type Chapter, duration, figure, table } from './figures.ts';
import type { StatementTimes } from './statement-times.ts';

/** The target for a file with 10,000 lines, and the maximum ratio for a file that is ten times as long. */
const LIMIT_MS = 300;
const LIMIT_GROWTH = 15;
const SHORT = 10_000;
const LONG = 75_000;

/** Measures the readers of statement files, each with a short file and a long file, and the selection of new lines. */
export async function measureStatements(rounds: number): Promise<Chapter> {
  const { read, again } = await answerOf<StatementTimes>('statement-times.ts', SHORT, LONG, rounds);
  const slowest = read.reduce((one, other) => (other.few > one.few ? other : one));
  const growth = Math.max(...read.map(({ few, many }) => many / few));
  const rows = read.map(({ name, few, many }) => [name, duration(few), duration(many)]);
  return {
    title: 'Statement files',
    text: [
      `Processor time to read a file of each format in a new process. To find that none of ${figure(LONG)} lines`,
      `is new took ${duration(again)}.`,
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
