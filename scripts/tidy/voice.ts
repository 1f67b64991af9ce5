// Counts the phrases in strings, comments, test names, and docs that match voice-rules.data.ts.
// `voice-ceilings.json` has a ceiling for each rule and kind of text. A count above the ceiling is a finding. `npm run
// generate` lowers the ceilings.
// `tsx scripts/tidy.ts --voice RULE` prints the phrases for one rule.
import { generated } from './rooms.ts';
import { child, children, lineOf, text, walk } from './source.ts';
import type { Code, Finding, Node, Source } from './source.ts';
import { type Pool, voiceRules } from './voice-rules.data.ts';

/** A passage that people read, with its position. */
interface Passage {
  pool: Pool;
  path: string;
  line: number;
  words: string;
}

/** A phrase that a rule found in a passage. */
interface Hit extends Passage {
  rule: string;
  advice: string;
}

/** The highest allowed count for each rule and kind of text. */
type Ceilings = Record<string, Partial<Record<Pool, number>>>;

const CEILINGS = 'scripts/tidy/voice-ceilings.json';

const isProduct = (path: string): boolean => /^(apps|packages)\//.test(path) && !path.startsWith('packages/scenario/');

/** Files whose strings are data, SQL, or styles. */
const withoutWords = /\.data\.ts$|\.sql\.ts$|common-passwords|\/demo\/|\/platform\/db\/|\/theme\/|postmaster|charset/;

/** Returns the text of a string or template. Values in a template are left as written. */
function written(code: Code, node: Node): string | undefined {
  if (node.type === 'Literal') return text(node, 'value');
  return node.type === 'TemplateLiteral' ? code.text.slice(node.start + 1, node.end - 1) : undefined;
}

const SQL_START = new RegExp(
  '^\\s*(select|insert into|update \\w+ set|delete from|with \\w+ as|create|alter|from|where|and|or|order by|' +
    'group by|join)\\b',
);

const isSql = (words: string): boolean => SQL_START.test(words) || /company_id|::|var\(--/.test(words);

const isSentence = (words: string): boolean =>
  words.split(/\s+/).filter((word) => /[A-Za-z]{2}/.test(word)).length >= 3 && !isSql(words) && !/<\w/.test(words);

/** Attributes and properties without words: styles, URLs, images. */
const wordless = /^(className|style|d|viewBox|transition|href|accept|import|source)$/;

function nameOf(node: Node | undefined): string {
  return text(child(node, 'name'), 'name') ?? text(child(node, 'key'), 'name') ?? '';
}

/** Returns the strings in the product and the names of tests. */
function stringsOf(code: Code): Passage[] {
  const passages: Passage[] = [];
  const add = (pool: Pool, node: Node, words: string): void => {
    passages.push({ pool, path: code.path, line: lineOf(code, node.start), words: words.replace(/\s+/g, ' ').trim() });
  };
  walk(code.program, (node, above) => {
    const up = above.at(-1);
    if (node.type === 'CallExpression') {
      const [title] = children(node, 'arguments');
      const words = title === undefined ? undefined : written(code, title);
      if (code.isTest && words !== undefined && /^(it|test)\b/.test(code.text.slice(node.start, node.end)))
        add('t', node, words);
    }
    if (code.isTest || !isProduct(code.path) || withoutWords.test(code.path)) return;
    const words = node.type === 'JSXText' ? text(node, 'value') : written(code, node);
    if (words === undefined || !isSentence(words)) return;
    if (up?.type === 'TaggedTemplateExpression' || up?.type === 'ImportDeclaration' || wordless.test(nameOf(up)))
      return;
    add('s', node, words);
  });
  return passages;
}

/** Returns the comments. Consecutive line comments count as one comment. */
function commentsOf(code: Code): Passage[] {
  const passages: Passage[] = [];
  let lastLine = -1;
  for (const { type, value, start } of code.comments) {
    const words = value
      .replace(/^\*+|^\s*\*\s?/gm, '')
      .replace(/\s+/g, ' ')
      .trim();
    const line = lineOf(code, start);
    const last = passages.at(-1);
    if (type === 'Line' && last !== undefined && line === lastLine + 1) last.words += ` ${words}`;
    else passages.push({ pool: 'c', path: code.path, line, words });
    lastLine = type === 'Line' ? line : -1;
  }
  return passages;
}

const inDocs = (path: string): boolean => path.endsWith('.md') && !generated.includes(path);

/** Returns the lines in docs and in help topics, which are strings in the product. */
function linesOf({ path, text: page }: Source): Passage[] {
  if (!inDocs(path)) return [];
  const pool = path.includes('/help/topics/') ? 's' : 'd';
  return page.split('\n').flatMap((line, index) => {
    const words = line.replace(/^[-#*>\d. |]+/, '');
    return /[a-z] [a-z]/.test(words) && !line.startsWith('```') ? [{ pool, path, line: index + 1, words }] : [];
  });
}

/** Returns all phrases in a tree that match the rules. */
export function voiceHits(sources: readonly Source[], codes: readonly Code[]): Hit[] {
  const passages = [
    ...sources.flatMap(linesOf),
    ...codes.flatMap((code) => [...stringsOf(code), ...commentsOf(code)]),
  ].filter(({ path }) => !/\/tidy\/voice|tidy\.test/.test(path));
  return voiceRules.flatMap(({ name, pattern, advice, pools }) =>
    passages
      .filter(({ pool, words }) => pools.includes(pool) && pattern.test(words))
      .map((passage) => ({ ...passage, rule: name, advice })),
  );
}

function countsOf(hits: readonly Hit[]): Ceilings {
  return Object.fromEntries(
    voiceRules.map(({ name, pools }) => [
      name,
      Object.fromEntries(
        pools.map((pool) => [pool, hits.filter((hit) => hit.rule === name && hit.pool === pool).length]),
      ),
    ]),
  );
}

function ceilingsIn(sources: readonly Source[]): Ceilings | undefined {
  const page = sources.find(({ path }) => path === CEILINGS);
  if (page === undefined) return undefined;
  const ceilings: Ceilings = JSON.parse(page.text);
  return ceilings;
}

/** Returns the rules with more matches than their ceiling allows. */
export function checkVoice(sources: readonly Source[], codes: readonly Code[]): Finding[] {
  const ceilings = ceilingsIn(sources);
  if (ceilings === undefined) return [];
  const hits = voiceHits(sources, codes);
  const counts = countsOf(hits);
  return voiceRules.flatMap(({ name, advice, pools }) =>
    pools.flatMap((pool) => {
      const [count, ceiling] = [counts[name]?.[pool] ?? 0, ceilings[name]?.[pool] ?? 0];
      if (count <= ceiling) return [];
      const many = `'${name}' has ${count} matches (${pool}), but at most ${ceiling} are allowed`;
      const message = `${many}. Write: ${advice}. To list the matches, run: npx tsx scripts/tidy.ts --voice ${name}`;
      return [{ path: CEILINGS, line: 1, rule: 'voice', message }];
    }),
  );
}

/** Returns the ceilings, lowered to the counts. */
export function loweredCeilings(sources: readonly Source[], codes: readonly Code[]): string {
  const [ceilings, counts] = [ceilingsIn(sources), countsOf(voiceHits(sources, codes))];
  const lowered = voiceRules.map(({ name, pools }) => {
    const least = (pool: Pool): number => Math.min(counts[name]?.[pool] ?? 0, ceilings?.[name]?.[pool] ?? Infinity);
    return [name, Object.fromEntries(pools.map((pool) => [pool, least(pool)]))];
  });
  return `${JSON.stringify(Object.fromEntries(lowered), undefined, 2)}\n`;
}
