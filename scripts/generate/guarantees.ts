// Generates docs/guarantees.md from tags in the tests. Each promise is a comment above the test that proves it.
import { child, children, isTest, parse, text, walk } from '../tidy/source.ts';
import type { Code, Comment, Node, Source } from '../tidy/source.ts';

/** The chapters of the page, keyed by the names that tags use. */
export const chapters = {
  start: 'Start and restart',
  books: 'Correct books',
  together: 'Concurrent work',
  tampering: 'Detection of changes',
  input: 'Invalid input',
  access: 'Access',
  browser: 'In the browser',
  speed: 'Speed and size',
  longer: 'Longer runs: `npm run torture` and `npm run test:citus`',
} as const;
type Chapter = keyof typeof chapters;

/** A promise to users and the test below its tag. */
export interface Guarantee {
  chapter: Chapter;
  promise: string;
  figure: string;
  path: string;
  title: string;
}

/** `// Promise (chapter): sentence. [figure]`, which may continue on the next lines of the comment. */
const TAG = /^Promise \((\w+)\): (.+?)(?: \[([^\]]+)\])?$/;

const isChapter = (word: string): word is Chapter => word in chapters;

/** Returns the tags in a file, with their continuation lines. */
function tagsOf({ comments, text: source }: Code): { said: string; end: number }[] {
  const tags: { said: string; end: number }[] = [];
  let before: Comment | undefined;
  for (const comment of comments) {
    const words = comment.value.trim();
    const last = tags.at(-1);
    const continues =
      last !== undefined && before?.end === last.end && source.slice(before.end, comment.start).trim() === '';
    if (words.startsWith('Promise (')) tags.push({ said: words, end: comment.end });
    else if (continues && comment.type === 'Line')
      Object.assign(last, { said: `${last.said} ${words}`, end: comment.end });
    before = comment;
  }
  return tags;
}

/** The functions that declare a test or a group of tests. */
export const TESTS = ['test', 'it', 'describe', 'journey'];

/** Returns the name at the start of a call: `it` for `it.each(rows)('title', run)`. */
export function rootName(node: Node | undefined): string | undefined {
  if (node === undefined) return undefined;
  return text(node, 'name') ?? rootName(child(node, 'callee') ?? child(node, 'object') ?? child(node, 'tag'));
}

/** Returns a title as written, except that values in it are replaced with …. */
export function titleOf(node: Node | undefined): string | undefined {
  if (node?.type === 'Literal') return text(node, 'value');
  if (node?.type !== 'TemplateLiteral') return undefined;
  return children(node, 'quasis')
    .map((part) => {
      const value = part['value'];
      return typeof value === 'object' && value !== null && 'cooked' in value ? String(value.cooked) : '';
    })
    .join('…');
}

/** Returns the title of the first test after an offset. */
function testAfter(code: Code, place: number): string | undefined {
  let found: { start: number; title: string } | undefined;
  walk(code.program, (node) => {
    if (node.type !== 'CallExpression' || node.start < place || (found !== undefined && found.start < node.start))
      return;
    const title = titleOf(children(node, 'arguments')[0]);
    if (title !== undefined && TESTS.includes(rootName(child(node, 'callee')) ?? ''))
      found = { start: node.start, title };
  });
  return found?.title;
}

/** Returns the promises in a test file. Throws for a tag without a known chapter or without a test below it. */
export function guaranteesOf(source: Source): Guarantee[] {
  const code = isTest(source.path) && source.text.includes('// Promise (') ? parse(source) : undefined;
  if (code === undefined) return [];
  return tagsOf(code).map(({ said, end }) => {
    const [, chapter = '', promise = '', figure = ''] = TAG.exec(said) ?? [];
    const title = testAfter(code, end);
    if (!isChapter(chapter) || title === undefined)
      throw new Error(`${source.path}: a promise without a test or chapter: ${said}`);
    return { chapter, promise, figure, path: source.path, title };
  });
}

const head = `# Guarantees

\`npm run generate\` writes this page from the tests. Don't edit it. Each row comes from a comment above a test,
\`// Promise (chapter): sentence. [figure]\`. \`npm test\` runs all rows except the last chapter on a fresh clone,
with a real PostgreSQL and, where needed, separate server processes, hledger, beancount, and LibreOffice. A skipped
test counts as missing and fails the run if \`CI=true\`. [Performance](performance.md) has measured times, which are
not promises.
`;

const cell = (words: string): string => words.replaceAll('|', '\\|');

/** Returns the text of docs/guarantees.md. */
export function guaranteesPage(sources: readonly Source[]): string {
  const all = sources.flatMap(guaranteesOf).sort((a, b) => (a.path < b.path ? -1 : Number(a.path > b.path)));
  const parts = Object.entries(chapters).map(([key, title]) => {
    const rows = all
      .filter(({ chapter }) => chapter === key)
      .map(
        ({ promise, path, title: test, figure }) =>
          `| ${cell(promise)} | \`${path}\` "${cell(test)}" | ${cell(figure)} |\n`,
      );
    return `## ${title}\n\n| promise | test | figure |\n| --- | --- | --- |\n${rows.join('')}`;
  });
  return [head, ...parts].join('\n');
}
