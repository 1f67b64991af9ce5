import { cpus, platform, release, totalmem } from 'node:os';
import { format } from 'oxfmt';
import { type Chapter, figure, table, targets } from './figures.ts';

/** The machine on which the measurements were made. */
export interface Machine {
  processor: string;
  cores: number;
  memoryGb: number;
  system: string;
  node: string;
  postgres: string;
}

/** Returns the details of this machine. `postgres` is the database's version. */
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
  /** The date in the format YYYY-MM-DD. */
  date: string;
  minutes: number;
  /**
   * The average load on the machine in the minute before the run. If it is above the number of cores, the measurements
   * are unreliable.
   */
  loadBefore: number;
  isQuick: boolean;
  machine: Machine;
}

/** Returns the full text of all chapters, as the benchmark prints them. */
export async function measurements(chapters: readonly Chapter[]): Promise<string> {
  return markdown(chapters.flatMap(({ title, text }) => [`## ${title}`, '', text, '']).join('\n'));
}

/** Returns the content of docs/performance.md: the machine, the targets, and the summaries of the chapters. */
export async function performancePage(chapters: readonly Chapter[], run: Run): Promise<string> {
  const { machine } = run;
  const aims = chapters.flatMap((chapter) => chapter.aims);
  const missed = aims.filter(({ isMet }) => !isMet);
  const lines = [
    '# Performance',
    '',
    '`npm run bench` measures these figures and prints more of them. Add `-- --write` to update this page, or',
    '`-- --quick` for a short run with little data. Times depend on the machine. Ratios compare two sides that were',
    'measured in turn in the same run, so load on the machine affects both.',
    '',
    table(
      ['', ''],
      [
        ['date', `${run.date}, ${figure(run.minutes)} minutes${run.isQuick ? ', quick' : ''}`],
        ['machine', `${machine.processor}, ${machine.cores} cores, ${machine.memoryGb} GB, ${machine.system}`],
        [
          'load before the run',
          `${figure(run.loadBefore)}${run.loadBefore > 1 ? ' (busy, so times are too long)' : ''}`,
        ],
        ['software', `Node ${machine.node}, embedded PostgreSQL ${machine.postgres} with fsync and synchronous_commit`],
        ['setup', 'a built server, the load generator, and PostgreSQL on the same machine'],
      ],
    ),
    '',
    '## Targets',
    '',
    targets(aims),
    '',
    ...missed.flatMap(({ wanted, why }) => (why === undefined ? [] : [`- ${wanted}: ${why}`])),
    ...chapters.flatMap(({ title, summary }) => (summary === undefined ? [] : ['', `## ${title}`, '', summary])),
    '',
  ];
  return markdown(lines.join('\n'));
}

/** Formats a page as the formatter does. */
export async function markdown(text: string): Promise<string> {
  return (await format('performance.md', text, { printWidth: 120 })).code;
}
