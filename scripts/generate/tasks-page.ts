import { type Done, stepsOf } from '../../e2e/src/hand.ts';

/**
 * The markers around the section in docs/performance.md that `npm run tasks` writes. The benchmark writes the rest of
 * the page and keeps this section.
 */

const [BEGIN, END] = ['<!-- tasks: begin -->', '<!-- tasks: end -->'];

/** Returns a page's section including its markers, or undefined if there is none. */
function partOf(page: string): string | undefined {
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)];
  return begin === -1 || end < begin ? undefined : page.slice(begin, end + END.length);
}

/** Returns the page after replacing the section, or after adding it at the end. */
export function withTasks(page: string, part: string): string {
  const own = partOf(page);
  return own === undefined ? `${page.trimEnd()}\n\n${part}\n` : page.replace(own, () => part);
}

/** Returns a newly generated page with the section from the earlier page. */
export function keepingTasks(page: string, before: string): string {
  const part = partOf(before);
  return part === undefined ? page : withTasks(page, part);
}

const RULES = `Written by \`npm run tasks -- --write\`. A script does ten tasks in Chromium with the shortest steps
that the screen offers. A click, a key, an entered text, a paste, and a selected file each count as one step.
"Before" is the program of 23 November 2026 (commit f2d78c5). A task that takes more steps than before, or more than
four steps to find something, fails the script. The seconds include no time to think.`;

const told = ({ clicks, keys }: Done['steps']): string => `${stepsOf({ clicks, keys })} (${clicks} + ${keys})`;

/** Returns the section, which explains how steps are counted and contains the table. */
export function tasksPart(done: readonly Done[]): string {
  const rows = done.map(
    ({ task, steps, seconds }) =>
      `| ${task.name} | ${told(steps)} | ${told(task.before)} | ${seconds.toPrecision(2)} |`,
  );
  const head = ['| task | steps (clicks + keys) | before | seconds |', '| --- | --- | --- | --- |'];
  return [BEGIN, '', '## Ten tasks', '', RULES, '', ...head, ...rows, '', END].join('\n');
}
