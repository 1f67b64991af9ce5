// Checks the direction of imports, which docs/architecture.md describes ("Layers").
import { child, lineOf, text, walk } from './source.ts';
import type { Code, Finding, Node } from './source.ts';
import { serverFloors, sideways, webFloors } from './rooms.ts';

/** An import as written, and the path of the imported file if it is in this repository. */
type Import = { line: number; written: string; target: string | undefined };

const packages: Record<string, string> = {
  core: 'packages/core/src',
  client: 'packages/client/src',
  contract: 'packages/contract/src',
  imports: 'packages/imports/src',
  postgres: 'packages/postgres/src',
  scenario: 'packages/scenario/src',
  statements: 'packages/statements/src',
  server: 'apps/server/src',
  web: 'apps/web/src',
};

function resolve(from: string, written: string, known: ReadonlySet<string>): string | undefined {
  const own = /^@evenkeel\/(\w+)\/(.+)$/.exec(written);
  const folder = own?.[1] ? packages[own[1]] : undefined;
  if (own && folder) {
    const base = `${folder}/${own[2]}`;
    return [base, `${base}.ts`].find((path) => known.has(path)) ?? `${base}.ts`;
  }
  if (!written.startsWith('.')) return undefined;
  const parts = from.split('/').slice(0, -1);
  for (const part of written.replace(/\?.*$/, '').split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.') parts.push(part);
  }
  return parts.join('/');
}

const importing = [
  'ImportDeclaration',
  'ExportAllDeclaration',
  'ExportNamedDeclaration',
  'ImportExpression',
  'TSImportType',
];

function importsOf(code: Code, known: ReadonlySet<string>): Import[] {
  const found: Import[] = [];
  walk(code.program, (node: Node) => {
    if (!importing.includes(node.type)) return;
    const written = text(child(node, 'source'), 'value');
    if (written === undefined) return;
    found.push({ line: lineOf(code, node.start), written, target: resolve(code.path, written, known) });
  });
  return found;
}

/** Returns the folder that contains a path: the first folder (or the file) under `base`. */
function roomOf(path: string, base: string): string | undefined {
  return path.startsWith(`${base}/`) ? path.slice(base.length + 1).split('/')[0] : undefined;
}

const isPackage = (written: string, name: string): boolean => written === name || written.startsWith(`${name}/`);
const under = (target: string | undefined, ...folders: string[]): boolean =>
  target !== undefined && folders.some((folder) => target.startsWith(`${folder}/`));

/** Tests may use development tools and the testing folder, but product code may not. */
function refuse(code: Code, one: Import): string | undefined {
  const { path } = code;
  if (path.startsWith('packages/core/')) return refuseCore(code, one);
  if (path.startsWith('packages/contract/')) return refuseContract(code, one);
  if (path.startsWith('packages/client/'))
    return refuseOutside(one, ['packages/client', 'packages/contract', 'packages/core']);
  if (path.startsWith('packages/scenario/')) return refuseOutside(one, ['packages/scenario', 'packages/core']);
  if (path.startsWith('packages/imports/'))
    return refuseOutside(one, ['packages/imports', 'packages/statements', 'packages/core']);
  if (path.startsWith('packages/statements/')) return refuseOutside(one, ['packages/statements', 'packages/core']);
  if (path.startsWith('packages/postgres/')) return refuseOutside(one, ['packages/postgres']);
  if (path.startsWith('apps/server/')) return refuseServer(code, one);
  if (path.startsWith('apps/web/src/')) return refuseWeb(code, one);
  if (path.startsWith('e2e/')) {
    // Journeys test the built product. They may use the server's testing folder to set it up.
    const allowed = [
      'packages/core',
      'packages/contract',
      'packages/imports/src/testing',
      'apps/server/src/platform/pdf/testing',
      'apps/server/src/testing',
      'apps/web/src/testing',
      'e2e',
      'scripts',
    ];
    return refuseOutside(one, allowed);
  }
  if (path.startsWith('bench/')) {
    const allowed = [
      'packages/client',
      'packages/core',
      'packages/contract',
      'packages/imports',
      'packages/postgres',
      'packages/statements',
      'apps/server/src/platform/db',
      'apps/server/src/testing',
      'bench',
      'scripts',
    ];
    return refuseOutside(one, allowed);
  }
  return undefined;
}

const refuseOutside = ({ target }: Import, allowed: string[]): string | undefined =>
  target === undefined || under(target, ...allowed) ? undefined : `may import only from ${allowed.join(', ')}`;

function refuseCore(code: Code, { written, target }: Import): string | undefined {
  if (under(target, 'packages/core')) return undefined;
  if (target === undefined && (isPackage(written, 'big.js') || code.isTest)) return undefined;
  return 'core can import only itself and big.js';
}

function refuseContract(code: Code, { written, target }: Import): string | undefined {
  if (under(target, 'packages/contract', 'packages/core')) return undefined;
  if (target === undefined && (isPackage(written, 'zod') || code.isTest)) return undefined;
  return 'the contract can import only core and zod';
}

const serverPackages = ['client', 'core', 'contract', 'imports', 'postgres', 'statements'].map(
  (name) => `packages/${name}`,
);

function refuseServer(code: Code, { target }: Import): string | undefined {
  if (target === undefined || under(target, ...serverPackages)) return undefined;
  if (code.isTest && under(target, 'scripts', 'packages/scenario')) return undefined;
  if (!under(target, 'apps/server/src'))
    return under(target, 'apps/server') ? undefined : 'the server can import packages but no other workspaces';
  return code.isTest ? undefined : refusePlace(placeOf(code.path), placeOf(target));
}

type Place = { floor: string; room: string };

/** Returns the layer and folder of a server file. The entries `main.ts` and `cli.ts` are in the top layer. */
function placeOf(path: string): Place {
  const [floor = '', room = '', file] = path.slice('apps/server/src/'.length).split('/');
  return floor.endsWith('.ts') ? { floor: 'app', room: floor } : { floor, room: file === undefined ? '' : room };
}

/**
 * The server's layers import only lower layers. Within a layer, a folder imports only the folders that `sideways`
 * lists.
 */
function refusePlace(from: Place, to: Place): string | undefined {
  const [above, below] = [serverFloors.indexOf(from.floor), serverFloors.indexOf(to.floor)];
  if (above < 0) return undefined;
  if (below < 0) return `only tests can import ${to.floor}`;
  if (below < above) return `imports only go downward: ${serverFloors.join(', ')}`;
  if (below > above || from.floor === 'app' || from.room === to.room) return undefined;
  if (from.room === '' || to.room === '') return undefined;
  return sideways[from.room]?.includes(to.room)
    ? undefined
    : `${from.room} may not import ${to.room}: see scripts/tidy/rooms.ts`;
}

function refuseWeb(code: Code, { written, target }: Import): string | undefined {
  if (target === undefined)
    return written.startsWith('node:') && !code.isTest ? 'node: modules are not available in a browser' : undefined;
  if (under(target, 'packages/core', 'packages/contract')) return undefined;
  const to = roomOf(target, 'apps/web/src');
  if (!to)
    return under(target, 'apps/web')
      ? undefined
      : 'the web app can import core and the contract but no other workspaces';
  const from = roomOf(code.path, 'apps/web/src') ?? '';
  if (code.isTest || from === 'testing') return undefined;
  if (to === 'testing') return 'only tests can import testing';
  if (webFloors.indexOf(to) < webFloors.indexOf(from)) return `imports only go downward: ${webFloors.join(', ')}`;
  if (to !== 'screens' || from !== to) return undefined;
  const screen = (path: string): string | undefined => roomOf(path, 'apps/web/src/screens');
  return screen(target) === screen(code.path)
    ? undefined
    : "a screen can't import another screen: move shared code to parts";
}

/** Returns imports in the wrong direction. The linter finds circular imports. */
export function checkImports(codes: readonly Code[]): Finding[] {
  const known = new Set(codes.map((code) => code.path));
  return codes.flatMap((code) =>
    importsOf(code, known).flatMap((one) => {
      const message = refuse(code, one);
      if (!message) return [];
      return [{ path: code.path, line: one.line, rule: 'direction', message: `${one.written}: ${message}` }];
    }),
  );
}
