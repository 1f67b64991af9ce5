import { type Done, stepsOf } from '../../e2e/src/hand.ts';

const RULES = `Written by \`npm run tasks -- --write\`. A script does ten tasks in Chromium with the shortest steps
that the screen offers. A click, a key, an entered text, a paste, and a selected file each count as one step.
"Before" is the program of 23 November 2026 (commit f2d78c5). A task that takes more steps than before, or more than
four steps to find something, fails the script. The seconds include no time to think.`;

const told = ({ clicks, keys }: Done['steps']): string => `${stepsOf({ clicks, keys })} (${clicks} + ${keys})`;

/** Returns the section of docs/performance.md, which explains how steps are counted and contains the table. */
export function tasksPart(done: readonly Done[]): string {
  const rows = done.map(
    ({ task, steps, seconds }) =>
      `| ${task.name} | ${told(steps)} | ${told(task.before)} | ${seconds.toPrecision(2)} |`,
  );
  const head = ['| task | steps (clicks + keys) | before | seconds |', '| --- | --- | --- | --- |'];
  return ['## Ten tasks', '', RULES, '', ...head, ...rows].join('\n');
}
