import { join, normalize } from 'node:path';
import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { root } from '../checkout.mjs';
import { readTree } from '../tidy.ts';

const pages = readTree(root).filter(({ path }) => /^(docs\/)?[\w-]+\.md$/.test(path) && path !== 'CHANGELOG.md');

/**
 * The base folders of short paths. For example, `books/ledger/journal.ts` is in the server, and `core/csv.ts` is in a
 * package.
 */
const BASES = ['', 'apps/server/src', 'apps/web/src', 'apps/server'];
const inPackage = (path: string): string =>
  path.replace(/^(core|contract|imports|scenario|statements|postgres)\//, 'packages/$1/src/');

/** Returns whether a path in the docs refers to a file or folder. The extension `.ts` may be omitted. */
function exists(path: string): boolean {
  return BASES.some((base) =>
    ['', '.ts', '.tsx'].some((end) => existsSync(join(root, base, `${inPackage(path)}${end}`))),
  );
}

/** Returns the paths in code spans: file names with a known extension, and folders in the repository. */
function pathsIn(text: string): string[] {
  const spans = [...text.replace(/^```[\s\S]*?^```/gm, '').matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span);
  const folders = 'apps|packages|scripts|docs|e2e|bench|scenarios|deploy|app|across|features|books|platform|screens';
  const more = 'parts|records|client|ui|core|contract|testing|process|migrations';
  const heads = new RegExp(`^(${folders}|${more})/[\\w./-]+$`);
  return spans.filter((span) => heads.test(span) || /^[\w-]+(\/[\w.-]+)+\.(ts|tsx|sql|md|json)$/.test(span));
}

it.each(pages)('every path and link in $path exists', ({ path, text }) => {
  const links = [...text.matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map(([, to = '']) =>
    normalize(join(path, '..', to)),
  );
  expect(links.filter((to) => !existsSync(join(root, to)))).toEqual([]);
  expect(pathsIn(text).filter((each) => !exists(each))).toEqual([]);
});

it('a folder that does not exist is reported', () => {
  expect(pathsIn('See `books/ledger/journal` and `apps/server/src/nowhere`.').filter((each) => !exists(each))).toEqual([
    'apps/server/src/nowhere',
  ]);
});
