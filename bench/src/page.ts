import { cpus, platform, release, totalmem } from 'node:os';
import { format } from 'oxfmt';
import { type Chapter, figure, table } from './figures.ts';

/** The machine that the figures come from. */
export interface Machine {
  processor: string;
  cores: number;
  memoryGb: number;
  system: string;
  node: string;
  postgres: string;
}

/** The facts of this machine; `postgres` is the database's version. */
export function thisMachine(postgres: string): Machine {
  return {
    processor: cpus()[0]?.model.trim() ?? 'unknown',
    cores: cpus().length,
    memoryGb: Math.round(totalmem() / 2 ** 30),
    system: `${platform()} ${release()}`,
    node: process.version,
    postgres,
  };
}

export interface Run {
  /** YYYY-MM-DD */
  date: string;
  minutes: number;
  /** Load of the machine over a minute, before the run; above its cores the figures are not worth much. */
  loadBefore: number;
  isQuick: boolean;
  machine: Machine;
}

/** docs/performance.md: what was measured, on what, how, and which aims were missed. */
export async function performancePage(chapters: readonly Chapter[], run: Run): Promise<string> {
  const { machine } = run;
  const aims = chapters.flatMap((chapter) => chapter.aims);
  const missed = aims.filter(({ isMet }) => !isMet);
  const text = [
    '# Performance',
    '',
    'Written by `npm run bench -- --write`; without `--write` it is only printed, and `--quick` tries it with little',
    'data. Absolute times are those of one machine. The ratios are what counts: both sides of each were measured in',
    'the same run, in turn, so that what the machine does besides meets both.',
    '',
    table(
      ['', ''],
      [
        ['date', `${run.date}, ${figure(run.minutes)} minutes${run.isQuick ? ', quick' : ''}`],
        ['machine', `${machine.processor}, ${machine.cores} cores, ${machine.memoryGb} GB, ${machine.system}`],
        ['load before', `${figure(run.loadBefore)}${run.loadBefore > 1 ? ' (not quiet: times are too long)' : ''}`],
        ['programs', `Node ${machine.node}, PostgreSQL ${machine.postgres}, embedded, fsync and synchronous_commit on`],
        ['server', 'the built one, a process of its own; load generator, server and PostgreSQL on one machine'],
      ],
    ),
    '',
    '## Aims',
    '',
    table(
      ['aim', 'seen', ''],
      aims.map(({ wanted, seen, isMet }) => [wanted, seen, isMet ? 'met' : '**missed**']),
    ),
    '',
    missed.length === 0 ? 'Every aim was met.' : `${missed.length} of ${aims.length} aims were missed.`,
    '',
    ...missed.flatMap(({ wanted, why }) => (why === undefined ? [] : [`- ${wanted}: ${why}`])),
    ...chapters.flatMap(({ title, text: body }) => ['', `## ${title}`, '', body]),
    '',
  ].join('\n');
  return (await format('performance.md', text, { printWidth: 120 })).code;
}
