import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import type { CodeSplittingNameFunction } from 'rolldown';
import { defineConfig, type Plugin } from 'vite';

const root = fileURLToPath(new URL('.', import.meta.url));

/** Removes endpoint summaries, which only the API document needs, from the browser bundle. */
const withoutSummaries: Plugin = {
  name: 'without-summaries',
  transform: (code, id) =>
    id.includes('/packages/contract/src/')
      ? { code: code.replace(/\bsummary:\s*(?:(['"])(?:(?!\1)[^\\]|\\.)*\1[\s+]*)+,/g, ''), map: null }
      : undefined,
};

/** Returns the paths of screens and the first file that each one loads, as in routes.tsx. */
async function screensOfRoutes(): Promise<[path: string, file: string][]> {
  const text = await readFile(`${root}src/app/routes.tsx`, 'utf8');
  const found = text.matchAll(/\b(?:screen\('[^']*', |page\()'(\/[^':*]*)[\s\S]*?import\('(\.\.?)(\/[^']+)'\)/g);
  return [...found].flatMap(([, path, from, file]) =>
    path === undefined || file === undefined
      ? []
      : [[path.replace(/(.)\/$/, '$1'), from === '.' ? `/app${file}` : file]],
  );
}

/**
 * Writes `pages.json` with the files for each screen and the files for every page. The server lists them in the page
 * that it sends, so that the browser requests all of a screen's code at the same time instead of in stages.
 */
const pagesAhead: Plugin = {
  name: 'pages-ahead',
  apply: 'build',
  // Runs after the step that removes files containing only styles.
  generateBundle: {
    order: 'post',
    async handler(_, bundle) {
      const chunks = Object.values(bundle).flatMap((one) => (one.type === 'chunk' ? [one] : []));
      const of = (end: string) => chunks.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith(end)));
      const closure = (name: string, found = new Set<string>()): Set<string> => {
        const chunk = chunks.find(({ fileName }) => fileName === name);
        if (chunk === undefined || found.has(name)) return found;
        found.add(name);
        for (const style of chunk.viteMetadata?.importedCss ?? []) found.add(style);
        for (const next of chunk.imports) closure(next, found);
        return found;
      };
      const always = closure(chunks.find(({ isEntry }) => isEntry)?.fileName ?? '');
      const filesOf = (files: readonly string[]): string[] => {
        const all = new Set(files.flatMap((file) => [...closure(of(file)?.fileName ?? '')]));
        return [...all].filter((name) => !always.has(name)).toSorted();
      };
      const pages = (await screensOfRoutes()).map(([path, file]) => {
        const frame = /^\/screens\/(auth|setup)\//.test(file) ? [] : FRAME;
        return [path, filesOf([...frame, `/web/src${file}`])] as const;
      });
      this.emitFile({ type: 'asset', fileName: 'pages.json', source: JSON.stringify(Object.fromEntries(pages)) });
    },
  },
};

/** The frame around all screens that require a session, and the chunk that the frame loads immediately. */
const FRAME = ['/app/shell/AppShell.tsx', '/screens/approvals/WaitingCount.tsx'];

/** The screens that ask for a password. */
const isSignIn = (page: string): boolean =>
  /\/screens\/auth\/(Login|Register|ResetPassword|ForgotPassword)\.tsx$/.test(page);
/** The frame around all screens that require a session, and the start page in it. */
const isFirst = (page: string): boolean => /\/(AppShell|Dashboard)\.tsx$/.test(page);

/**
 * The files that several screens share. Each file's rule decides which modules belong to the file, based on the screens
 * that need a module. A module belongs to the first file whose rule it meets. The modules that it imports are needed by
 * the same screens and more. Therefore, a file needs only files above it, and no two files wait for each other. All
 * other modules are split by the screens that need them. Without these rules, a list requests 80 files, six at a time.
 */
const LAYERS: Record<string, (pages: ReadonlySet<string>) => boolean> = {
  start: (pages) => [...pages].some(isFirst) && pages.size >= 3,
  open: (pages) => [...pages].some(isSignIn) && pages.size >= 3,
  most: (pages) => pages.size >= 12,
  some: (pages) => pages.size >= 3,
};

/** Imports every screen. */
const FIRST = `${root}src/app/routes.tsx`;

type Modules = Parameters<CodeSplittingNameFunction>[1];

/** Returns the screens that import each module. A screen is a dynamic import of routes.tsx or of its imports. */
function pagesByModule(modules: Modules): Map<string, Set<string>> {
  const pages = new Set<string>();
  const needed = new Map<string, Set<string>>();
  const need = (page: string, id: string): void => {
    const known = needed.get(id) ?? new Set();
    // A library's index imports modules that nothing uses. The modules in use belong to the files of the modules that
    // use them.
    if (known.has(page) || id.includes('/node_modules/')) return;
    needed.set(id, known.add(page));
    const { importedIds, dynamicallyImportedIds } = modules.getModuleInfo(id) ?? {};
    // The next call of getModuleInfo replaces the lists that this call returned.
    const imported = [...(importedIds ?? [])];
    if (page === FIRST) for (const each of dynamicallyImportedIds ?? []) pages.add(each);
    for (const next of imported) need(page, next);
  };
  need(FIRST, FIRST);
  needed.clear();
  for (const page of pages) need(page, page);
  return needed;
}

let screens: ReturnType<typeof pagesByModule> | undefined;

/** The first file and everything that it imports. */
const initial = { name: 'index', priority: 100, tags: ['$initial' as const] };
const layers = Object.entries(LAYERS).map(([name, belongs], index) => ({
  debugName: name,
  name: ((id, modules) => {
    screens ??= pagesByModule(modules);
    const pages = screens.get(id);
    return pages !== undefined && belongs(pages) ? name : null;
  }) satisfies CodeSplittingNameFunction,
  priority: initial.priority - 1 - index,
}));

/** The web build in `apps/web/dist`. During development, /api is forwarded to the server in EVENKEEL_API. */
export default defineConfig({
  root,
  plugins: [withoutSummaries, react(), pagesAhead],
  // The browser only parses responses with the contract's schemas. The library that validates requests stays on the
  // server.
  resolve: {
    alias: [
      { find: /^zod$/, replacement: fileURLToPath(new URL('../../packages/contract/src/light.ts', import.meta.url)) },
    ],
  },
  server: {
    proxy: Object.fromEntries(
      ['/api', '/d/', '/c/', '/r/'].map((path) => [
        path,
        { target: process.env['EVENKEEL_API'] ?? 'http://127.0.0.1:3000', changeOrigin: false },
      ]),
    ),
  },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2022',
    // The Content-Security-Policy allows no data: fonts or images, so nothing is inlined.
    assetsInlineLimit: 0,
    // In kB. The largest file renders PDFs and loads with the first PDF. `npm run bench` limits the size of the first
    // page.
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      output: {
        codeSplitting: { groups: [initial, ...layers] },
      },
    },
  },
});
