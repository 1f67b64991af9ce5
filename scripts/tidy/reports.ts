// Checks the size of list reports. A report is an entry in the kinds and a `TableSpec`, and neither may be repeated
// elsewhere.
import { child, children, lineOf, text, walk } from './source.ts';
import type { Code, Finding, Node } from './source.ts';

const kindsFile = 'packages/core/src/reports/kinds.ts';
const runsFolder = 'apps/server/src/across/reports/';
/** The maximum number of lines in a list report, not including its SQL. */
const most = 35;

/** Words that also have other meanings, such as a tab or a ledger. */
const common = ['Journal', 'General Ledger', 'Trial Balance', 'Balance Sheet'];

/**
 * A list report with the lines that belong to it: in the kinds, in its `TableSpec`, and in the declarations of its file
 * that the spec uses.
 */
export interface ListSize {
  path: string;
  line: number;
  name: string;
  kind: number;
  own: number;
  shared: number;
}

const nameOf = (node: Node | undefined): string | undefined => text(node, 'name') ?? text(node, 'value');

const linesOf = (code: Code, { start, end }: Node): number => lineOf(code, end) - lineOf(code, start) + 1;

/** Returns the object inside `as const` and `satisfies`. */
function bare(node: Node | undefined): Node | undefined {
  const inner = child(node, 'expression');
  return node !== undefined && /^TS(As|Satisfies)Expression$/.test(node.type) ? bare(inner) : node;
}

/** Returns the top-level functions and constants in a file by name. */
function declarations(code: Code): Map<string, Node> {
  const found = new Map<string, Node>();
  for (const statement of children(code.program, 'body')) {
    const node = child(statement, 'declaration') ?? statement;
    const name = nameOf(child(node, 'id'));
    if (node.type === 'FunctionDeclaration' && name !== undefined) found.set(name, node);
    for (const each of children(node, 'declarations')) {
      const own = nameOf(child(each, 'id'));
      if (own !== undefined) found.set(own, each);
    }
  }
  return found;
}

/** Returns the names of a file's declarations that a node uses, directly or indirectly. */
function behind(node: Node, all: ReadonlyMap<string, Node>, seen = new Set<string>()): Set<string> {
  walk(node, (each) => {
    const name = each.type === 'Identifier' ? nameOf(each) : undefined;
    const declared = name === undefined ? undefined : all.get(name);
    if (name === undefined || declared === undefined || seen.has(name)) return;
    seen.add(name);
    behind(declared, all, seen);
  });
  return seen;
}

function reportKindsOf(codes: readonly Code[]): Map<string, { title: string; lines: number }> {
  const code = codes.find(({ path }) => path === kindsFile);
  const kinds = new Map<string, { title: string; lines: number }>();
  if (code === undefined) return kinds;
  const object = bare(child(declarations(code).get('reportKinds'), 'init'));
  for (const property of children(object, 'properties')) {
    const facts = children(child(property, 'value'), 'properties');
    const title = nameOf(
      child(
        facts.find((fact) => nameOf(child(fact, 'key')) === 'title'),
        'value',
      ),
    );
    const name = nameOf(child(property, 'key'));
    if (name !== undefined && title !== undefined) kinds.set(name, { title, lines: linesOf(code, property) });
  }
  return kinds;
}

/** Returns all list reports on the server with their lines. */
export function listSizes(codes: readonly Code[]): ListSize[] {
  const kinds = reportKindsOf(codes);
  return codes
    .filter(({ path, isTest }) => path.startsWith(runsFolder) && !path.endsWith('.sql.ts') && !isTest)
    .flatMap((code) => {
      const all = declarations(code);
      const families = [...all]
        .filter(([name]) => name.endsWith('Reports'))
        .map(([, node]) => bare(child(node, 'init')));
      return families.flatMap((family) =>
        children(family, 'properties').flatMap((property): ListSize[] => {
          const name = nameOf(child(property, 'key'));
          const value = child(property, 'value');
          if (name === undefined || value === undefined) return [];
          const lines = [...behind(value, all)]
            .flatMap((each) => all.get(each) ?? [])
            .map((node) => linesOf(code, node));
          const shared = lines.reduce((sum, each) => sum + each, 0);
          const line = lineOf(code, property.start);
          return [
            { path: code.path, line, name, kind: kinds.get(name)?.lines ?? 0, own: linesOf(code, property), shared },
          ];
        }),
      );
    });
}

/** Returns list reports that are too long, and titles of reports that are used outside their kinds. */
export function checkReports(codes: readonly Code[]): Finding[] {
  const titles = new Set([...reportKindsOf(codes).values()].map(({ title }) => title));
  const findings: Finding[] = listSizes(codes).flatMap(({ path, line, name, kind, own, shared }) => {
    const lines = kind + own + shared;
    const message = `${name} has ${lines} lines without its SQL, but at most ${most} are allowed`;
    return lines > most ? [{ path, line, rule: 'list-report', message }] : [];
  });
  for (const code of codes) {
    const { path } = code;
    if (code.isTest || path === kindsFile || !/^(apps|packages)\//.test(path)) continue;
    const find = (node: Node, message: string): void => {
      findings.push({ path, line: lineOf(code, node.start), rule: 'report-twice', message });
    };
    walk(code.program, (node) => {
      const title = node.type === 'Literal' ? text(node, 'value') : undefined;
      if (title !== undefined && titles.has(title) && !common.includes(title)) {
        find(node, `${title}: report titles are allowed only in reportKinds`);
      }
      const value = node.type === 'Property' ? child(node, 'value') : undefined;
      if (nameOf(child(node, 'key')) === 'reportId' && typeof value?.['value'] === 'number') {
        find(node, 'report IDs are allowed only in reportKinds');
      }
    });
  }
  return findings;
}
