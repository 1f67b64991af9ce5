// What the language offers and the house does without: loose types, barrels, promises in comments, tests switched off.
import { child, children, lineOf, text, walk } from './source.ts';
import type { Code, Finding, Node, Source } from './source.ts';
import { edge, generated } from './rooms.ts';

type Complaint = { rule: string; message: string };

const isConst = (node: Node): boolean => text(child(child(node, 'typeAnnotation'), 'typeName'), 'name') === 'const';
const switches = ['skip', 'only', 'todo', 'fails'];
const runners = ['it', 'test', 'describe'];

function complaint(node: Node, code: Code): Complaint | undefined {
  switch (node.type) {
    case 'TSAnyKeyword':
      return { rule: 'any', message: 'no `any`: use unknown and read it, or give the type' };
    case 'TSNonNullExpression':
      return { rule: 'non-null', message: 'no `!`: handle the missing case' };
    case 'TSAsExpression':
    case 'TSTypeAssertion':
      if (code.isTest || isConst(node) || edge.some((place) => place.test(code.path))) return undefined;
      return { rule: 'as', message: 'no type assertion outside the edge: parse or narrow' };
    case 'MemberExpression': {
      const runner = text(child(node, 'object'), 'name') ?? '';
      const name = text(child(node, 'property'), 'name') ?? '';
      if (!code.isTest || !runners.includes(runner) || !switches.includes(name)) return undefined;
      return { rule: 'test-switch', message: `no ${runner}.${name}: a test runs, or says at run time why it cannot` };
    }
    default:
      return undefined;
  }
}

/** Types that check nothing, and tests that are narrowed or switched off. */
export function checkNodes(code: Code): Finding[] {
  const findings: Finding[] = [];
  walk(code.program, (node) => {
    const found = complaint(node, code);
    if (found) findings.push({ path: code.path, line: lineOf(code, node.start), ...found });
  });
  return findings;
}

/** Comments that silence the type check. */
export function checkComments(code: Code): Finding[] {
  return code.comments
    .filter((comment) => /^\s*@ts-(ignore|nocheck|expect-error)\b/.test(comment.value))
    .map((comment) => ({
      path: code.path,
      line: lineOf(code, comment.start),
      rule: 'ts-ignore',
      message: 'the type check is not silenced: give the right type',
    }));
}

/** A file that only hands on what others export hides where things are. */
export function checkBarrel(code: Code): Finding[] {
  const statements = children(code.program, 'body');
  const handsOn = (node: Node): boolean =>
    node.type === 'ExportAllDeclaration' || (node.type === 'ExportNamedDeclaration' && Boolean(child(node, 'source')));
  if (statements.length === 0 || !statements.every(handsOn)) return [];
  return [{ path: code.path, line: 1, rule: 'barrel', message: 'only re-exports: import from where things are' }];
}

// Put together here so that this file does not contain the words it looks for.
const unfinished = new RegExp(`\\b(${['TO' + 'DO', 'FIX' + 'ME', 'XX' + 'X'].join('|')})\\b(?:\\(([^)]+)\\))?`);

/** Unfinished work is named `(tag)` and has an entry with that tag in docs/decisions.md. */
export function checkUnfinished(source: Source, decisions: string): Finding[] {
  if (!/\.(ts|tsx|mjs|css|sql)$/.test(source.path) || generated.includes(source.path)) return [];
  return source.text.split('\n').flatMap((content, index) => {
    const found = unfinished.exec(content);
    if (!found || (found[2] && decisions.includes(found[2]))) return [];
    const message = `${found[1]} without an entry in docs/decisions.md`;
    return [{ path: source.path, line: index + 1, rule: 'unfinished', message }];
  });
}

const places: [RegExp, string][] = [
  [new RegExp(['/wo', 'rk/'].join('')), 'a path of one machine'],
  [/\/(home|Users)\/[a-z]\w*\//, 'a path of one machine'],
  [/"resolved": "https?:/, 'an address in the lockfile: set omit-lockfile-registry-resolved and write it anew'],
  [/\bregistry\.(npm|yarn)\w*\.|\/\/registry\.\w/, 'the host of a registry'],
];

/** Nothing in the tree names the machine or the registry it was made with. */
export function checkPlaces(source: Source): Finding[] {
  return source.text.split('\n').flatMap((content, index) => {
    const found = places.find(([pattern]) => pattern.test(content));
    return found ? [{ path: source.path, line: index + 1, rule: 'place', message: `names ${found[1]}` }] : [];
  });
}
