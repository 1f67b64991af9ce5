// Rejects language features that this project does not use: type assertions, barrels, promises in comments, and
// comments that do not start with their subject.
import { child, children, lineOf, text, walk } from './source.ts';
import type { Code, Finding, Node, Source } from './source.ts';
import { edge, generated } from './rooms.ts';

const isConst = (node: Node): boolean => text(child(child(node, 'typeAnnotation'), 'typeName'), 'name') === 'const';

/** Rejects type assertions with `as` outside the edge. The linter rejects other unchecked types. */
export function checkAssertions(code: Code): Finding[] {
  const { path } = code;
  if (code.isTest || edge.some((place) => place.test(path))) return [];
  const message = 'type assertions are allowed only at the edge: parse or narrow the value';
  const findings: Finding[] = [];
  walk(code.program, (node) => {
    const asserts = node.type === 'TSAsExpression' || node.type === 'TSTypeAssertion';
    if (asserts && !isConst(node)) findings.push({ path, line: lineOf(code, node.start), rule: 'as', message });
  });
  return findings;
}

/** A file that only re-exports from other files hides where the code is. */
export function checkBarrel(code: Code): Finding[] {
  const statements = children(code.program, 'body');
  const handsOn = (node: Node): boolean =>
    node.type === 'ExportAllDeclaration' || (node.type === 'ExportNamedDeclaration' && Boolean(child(node, 'source')));
  if (statements.length === 0 || !statements.every(handsOn)) return [];
  return [{ path: code.path, line: 1, rule: 'barrel', message: 'only re-exports: import from the original files' }];
}

const LATE_SUBJECT = ['What', 'Whose', 'Of', 'How', 'Where', 'That', 'Which', 'The same'];
/** Matches any of these words at the start of a comment line, or at the start of a sentence in the line. */
const opening = new RegExp(`^\\s*(?://|\\*|/\\*\\*?|\\{/\\*|--)(?:.*[\\w\`')"]\\.)? *(${LATE_SUBJECT.join('|')})\\b`);

/** Checks that a sentence in a comment starts with its subject. Openings such as What or Of delay the subject. */
export function checkOpenings({ path, text: source }: Source): Finding[] {
  if (!/\.(ts|tsx|mjs|css|sql)$/.test(path) || generated.includes(path)) return [];
  return source.split('\n').flatMap((content, index) => {
    const found = opening.exec(content);
    if (!found) return [];
    const message = `'${found[1]}' starts a sentence: put the subject first`;
    return [{ path, line: index + 1, rule: 'opening', message }];
  });
}

// The words are assembled from parts so that this file does not contain them.
const unfinished = new RegExp(`\\b(${['TO' + 'DO', 'FIX' + 'ME', 'XX' + 'X'].join('|')})\\b(?:\\(([^)]+)\\))?`);

/** Unfinished work must have a `(tag)` and an entry with that tag in docs/decisions.md. */
export function checkUnfinished(source: Source, decisions: string): Finding[] {
  if (!/\.(ts|tsx|mjs|css|sql)$/.test(source.path) || generated.includes(source.path)) return [];
  return source.text.split('\n').flatMap((content, index) => {
    const found = unfinished.exec(content);
    if (!found || (found[2] && decisions.includes(found[2]))) return [];
    const message = `${found[1]} has no entry in docs/decisions.md`;
    return [{ path: source.path, line: index + 1, rule: 'unfinished', message }];
  });
}

const places: [RegExp, string][] = [
  [new RegExp(['/wo', 'rk/'].join('')), 'a path on a specific machine'],
  [/\/(home|Users)\/[a-z]\w*\//, 'a path on a specific machine'],
  [/"resolved": "https?:/, 'an address in the lockfile: set omit-lockfile-registry-resolved and regenerate it'],
  [/\bregistry\.(npm|yarn)\w*\.|\/\/registry\.\w/, "a registry's host"],
];

/** Rejects the name of the machine or registry that the files were created with. */
export function checkPlaces(source: Source): Finding[] {
  return source.text.split('\n').flatMap((content, index) => {
    const found = places.find(([pattern]) => pattern.test(content));
    return found ? [{ path: source.path, line: index + 1, rule: 'place', message: `contains ${found[1]}` }] : [];
  });
}
