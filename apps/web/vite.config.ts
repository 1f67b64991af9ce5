import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const root = fileURLToPath(new URL('.', import.meta.url));

/** What an endpoint does, in words, is for the API document: the browser does not carry it. */
const withoutSummaries: Plugin = {
  name: 'without-summaries',
  transform: (code, id) =>
    id.includes('/packages/contract/src/')
      ? { code: code.replace(/\bsummary:\s*(['"])(?:(?!\1)[^\\]|\\.)*\1,/g, ''), map: null }
      : undefined,
};

/** Addresses of screens and the first file that each draws from, as routes.tsx has them. */
async function screensOfRoutes(): Promise<[path: string, file: string][]> {
  const text = await readFile(`${root}src/routes.tsx`, 'utf8');
  const found = text.matchAll(/\b(?:screen\('[^']*', |page\()'(\/[^':*]*)[\s\S]*?import\('\.(\/[^']+)'\)/g);
  return [...found].flatMap(([, path, file]) =>
    path === undefined || file === undefined || file.includes('/gallery/')
      ? []
      : [[path.replace(/(.)\/$/, '$1'), file]],
  );
}

/**
 * `pages.json`: the files of each screen beside those of every page. The server names them in the page that it sends,
 * so that the browser asks for all of a screen's code at once, not for a part when another has come.
 */
const pagesAhead: Plugin = {
  name: 'pages-ahead',
  apply: 'build',
  // Behind the step that takes out files that held styles alone.
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
        const frame = file.startsWith('/auth/') ? [] : ['/shell/AppShell.tsx'];
        return [path, filesOf([...frame, `/web/src${file}`])] as const;
      });
      this.emitFile({ type: 'asset', fileName: 'pages.json', source: JSON.stringify(Object.fromEntries(pages)) });
    },
  },
};

/**
 * What the first file imports is one file with it; what every page inside the frame needs another, and what any form
 * does a third: they pack better than fifty small ones.
 */
const initial = { name: 'index', priority: 3, tags: ['$initial' as const] };
const INSIDE = [
  '/contract/src/figures.ts',
  '/contract/src/settings.ts',
  '/core/src/cards.ts',
  '/core/src/reports/names.ts',
  '/@tabler/icons-react/dist/esm/icons/IconHelpCircle.mjs',
  '/web/src/ledger/ExplainButton.tsx',
  '/web/src/ledger/seesLedger.ts',
  '/web/src/records/place.ts',
  '/web/src/records/reads.ts',
  '/web/src/shell/menu.ts',
  '/web/src/ui/hooks/settled.ts',
  '/web/src/ui/hooks/today.tsx',
  '/web/src/ui/show/Amount.tsx',
  '/web/src/ui/show/Card.tsx',
  '/web/src/ui/show/Figure.tsx',
  '/web/src/ui/show/Status.tsx',
];
const FORMS = [
  '/web/src/ui/alerts/InlineAlert.tsx',
  '/web/src/ui/fields/CheckField.tsx',
  '/web/src/ui/fields/TextField.tsx',
  '/web/src/ui/hooks/stable.ts',
  '/web/src/ui/lines/LineMore.tsx',
  '/web/src/ui/lines/Spaced.tsx',
  '/web/src/ui/lines/lineColumns.ts',
  '/web/src/ui/lines/useDrawnLines.ts',
];
/** By itself: merged with a screen that reads it through others, either would wait for the other to be ready. */
const GEOGRAPHY = ['/core/src/geography.data.ts'];
const together = (name: string, files: readonly string[], priority: number) => ({
  name,
  priority,
  test: (id: string) => files.some((each) => id.endsWith(each)),
});

/** Shared by the pages before the sign-in, or by these and the frame: small, and no reason to fetch a screen's. */
const OPEN = ['/web/src/auth/', '/core/src/registration.ts', '/web/src/ui/show/Mark.tsx'];

/**
 * What several screens share besides, by who shares it; parts below 20 kB (before packing) go into the nearest.
 * Without it a list asked for 80 files, most of an icon's size, six at a time.
 */
const shared = {
  name: 'shared',
  priority: 0,
  minShareCount: 2,
  entriesAware: true,
  entriesAwareMergeThreshold: 20_000,
  test: (id: string) => !OPEN.some((each) => id.includes(each)),
};

/** The name of a shared file tells everything that shares it; that would be most of the page that names it. */
const shortName = (name = ''): string => `assets/${name.startsWith('shared~') ? 'shared' : '[name]'}-[hash]`;

/** The web build: `apps/web/dist`. In development /api goes to the server named by EVENKEEL_API. */
export default defineConfig({
  root,
  plugins: [withoutSummaries, react(), pagesAhead],
  // The browser reads replies by the contract's shapes; the library that checks requests stays on the server.
  resolve: {
    alias: [
      { find: /^zod$/, replacement: fileURLToPath(new URL('../../packages/contract/src/light.ts', import.meta.url)) },
    ],
  },
  server: {
    proxy: { '/api': { target: process.env['EVENKEEL_API'] ?? 'http://127.0.0.1:3000', changeOrigin: false } },
  },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2022',
    // The Content-Security-Policy allows no data: fonts or images, so nothing is inlined.
    assetsInlineLimit: 0,
    // kB. The largest draws documents and is fetched with the first one; the first page is held by `npm run bench`.
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      output: {
        chunkFileNames: ({ name }) => `${shortName(name)}.js`,
        assetFileNames: ({ names }) => `${shortName(names[0])}[extname]`,
        codeSplitting: {
          groups: [
            initial,
            together('inside', INSIDE, 2),
            together('forms', FORMS, 1),
            together('geography', GEOGRAPHY, 1),
            shared,
          ],
        },
      },
    },
  },
});
