import { type Done, stepsOf } from '../../e2e/src/hand.ts';

/** The part of docs/performance.md that `npm run tasks` writes; the rest is the bench's, which leaves this as it is. */

const [BEGIN, END] = ['<!-- tasks: begin -->', '<!-- tasks: end -->'];

/** The part of a page between its marks, with them; undefined where there is none. */
function partOf(page: string): string | undefined {
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)];
  return begin === -1 || end < begin ? undefined : page.slice(begin, end + END.length);
}

/** The page with the part in the place of its own, or at its end. */
export function withTasks(page: string, part: string): string {
  const own = partOf(page);
  return own === undefined ? `${page.trimEnd()}\n\n${part}\n` : page.replace(own, () => part);
}

/** A page that was made anew, with the part that the page before it had. */
export function keepingTasks(page: string, before: string): string {
  const part = partOf(before);
  return part === undefined ? page : withTasks(page, part);
}

const RULES = `Written by \`npm run tasks -- --write\`: a script does ten tasks in Chromium (1440 × 900) on books of
two years, and counts. A click is one step. So is a key, also with Ctrl or Shift; a text that is typed into a field in
one go, as into a search; rows that are pasted; and a file chosen in the system's dialog. Each task begins on the
dashboard unless it says otherwise, and goes the shortest way that the screen offers to a mouse, or to the keyboard
where it says so. The seconds are those of the machine: the script does not think.

"Before" is the program of 23 November 2026, commit f2d78c5, ahead of searching all years, pasting rows into the
journal, the board of reports and paying several bills at once. The same script did the same tasks in that build, on the
same books, where the screens of then needed other steps by these: windows of 30 days back to the invoice; each bill
paid by itself; each line of the entry typed; a custom date for the report.

No task may take more steps than before, and finding something takes at most four: otherwise the script fails.`;

const told = ({ clicks, keys }: Done['steps']): string => `${stepsOf({ clicks, keys })} (${clicks} + ${keys})`;

/** The part: how steps are counted, and the table. */
export function tasksPart(done: readonly Done[]): string {
  const rows = done.map(
    ({ task, steps, seconds }) =>
      `| ${task.name} | ${told(steps)} | ${told(task.before)} | ${seconds.toPrecision(2)} |`,
  );
  const head = ['| task | steps now (clicks + keys) | before | seconds |', '| --- | --- | --- | --- |'];
  return [BEGIN, '', '## Ten tasks', '', RULES, '', ...head, ...rows, '', END].join('\n');
}
