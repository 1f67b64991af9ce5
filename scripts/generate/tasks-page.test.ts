import { expect, it } from 'vitest';
import { isTooLong } from '../../e2e/src/hand.ts';
import { keepingParts, withPart } from './page-parts.ts';
import { tasksPart } from './tasks-page.ts';

const task = { name: 'Who owes most', finds: true, before: { clicks: 3, keys: 0 }, run: () => Promise.resolve() };
const done = { task, steps: { clicks: 2, keys: 1 }, seconds: 1.234 };

it('the section shows the current and earlier steps, replaces the earlier section, and is kept by benchmarks', () => {
  const part = tasksPart([done]);
  expect(part).toContain('| Who owes most | 3 (2 + 1) | 3 (3 + 0) | 1.2 |');
  const first = withPart('# Performance\n', 'tasks', part);
  expect(first).toMatch(/^# Performance\n\n<!-- tasks: begin -->\n\n## Ten tasks\n/);
  const second = withPart(`${first}\n## More\n`, 'tasks', tasksPart([{ ...done, seconds: 9 }]));
  expect(second.match(/## Ten tasks/g)).toHaveLength(1);
  expect(second).toContain('| 9.0 |');
  expect(second).toContain('## More');
  const both = withPart(second, 'scale', '## Scale');
  const kept = keepingParts('# Made anew\n', both);
  expect(kept).toContain('| 9.0 |');
  expect(kept).toContain('<!-- scale: begin -->\n\n## Scale\n');
  expect(keepingParts('# Made anew\n', 'none')).toBe('# Made anew\n');
});

it('a task that used to take 3 steps fails if it takes 4, and any search fails if it takes 5', () => {
  expect(isTooLong(done)).toBe(false);
  expect(isTooLong({ ...done, steps: { clicks: 4, keys: 0 } })).toBe(true);
  const five = { clicks: 4, keys: 1 };
  expect(isTooLong({ ...done, steps: five, task: { ...task, before: { clicks: 9, keys: 0 } } })).toBe(true);
  expect(isTooLong({ ...done, steps: five, task: { ...task, finds: false, before: five } })).toBe(false);
});
