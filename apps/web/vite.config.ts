import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
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
 * that it sends, so that the browser requests all of a screen's code at once instead of in stages.
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
        const frame = /^\/screens\/(auth|setup)\//.test(file) ? [] : ['/app/shell/AppShell.tsx'];
        return [path, filesOf([...frame, `/web/src${file}`])] as const;
      });
      this.emitFile({ type: 'asset', fileName: 'pages.json', source: JSON.stringify(Object.fromEntries(pages)) });
    },
  },
};

/** The first file and everything that it imports. */
const initial = { name: 'index', priority: 100, tags: ['$initial' as const] };
/** Modules that every page in the app frame needs. */
const INSIDE = [
  '/contract/src/figures.ts',
  '/contract/src/settings.ts',
  '/core/src/cards.ts',
  '/core/src/reports/names.ts',
  '/@tabler/icons-react/dist/esm/icons/IconHelpCircle.mjs',
  '/web/src/parts/ledger/ExplainButton.tsx',
  '/web/src/parts/ledger/seesLedger.ts',
  '/web/src/records/place.ts',

  '/web/src/app/shell/menu.ts',
  '/web/src/ui/hooks/settled.ts',
  '/web/src/ui/hooks/today.tsx',
  '/web/src/ui/show/Amount.tsx',
  '/web/src/ui/show/Card.tsx',
  '/web/src/ui/show/Figure.tsx',
  '/web/src/ui/show/MomentText.tsx',
  '/web/src/ui/show/Status.tsx',
  '/web/src/ui/show/words.ts',
];
/** Modules that every form needs, including sign-in. */
const FORMS = [
  '/web/src/ui/alerts/InlineAlert.tsx',
  '/web/src/ui/fields/CheckField.tsx',
  '/web/src/ui/fields/TextField.tsx',
];
const LISTS = [
  '/web/src/records/ListScreen.tsx',
  '/web/src/records/RecordPanel.tsx',
  '/web/src/ui/page/Chips.tsx',
  '/web/src/ui/table/useSelection.tsx',
];
const CHOOSING = [
  '/web/src/parts/choices/entities.ts',
  '/web/src/ui/fields/DateField.tsx',
  '/web/src/ui/fields/Picker.tsx',
  '/web/src/ui/overlay/ActionMenu.tsx',
  '/web/src/ui/page/TabbedPane.tsx',
  '/web/src/ui/show/Choice.tsx',
];
const STATEMENTS = ['/contract/src/reports.ts', '/core/src/reports/kinds.ts'];
const RECORDS = ['/web/src/records/RecordModal.tsx', '/web/src/records/useRecordForm.ts'];
const DOCUMENTS = [
  '/web/src/parts/documents/entry/DocumentEntry.tsx',
  '/web/src/parts/documents/panel/DocumentPanel.tsx',
  '/web/src/parts/documents/entry/entryKind.ts',
  '/web/src/parts/documents/entry/lineColumns.tsx',
  '/web/src/parts/documents/payment/PaymentDialog.tsx',
  '/web/src/parts/documents/panel/PaymentPanel.tsx',
  '/web/src/parts/scheduled/useScheduled.tsx',
];
const ENTITIES = [
  '/web/src/parts/entities/EntityModal.tsx',
  '/web/src/parts/entities/EntityHome.tsx',
  '/web/src/parts/entities/EntityScreen.tsx',
];

/**
 * The files that several screens share. Each file contains the named modules and their imports, except modules that are
 * in an earlier file. Each file therefore needs only earlier ones, and no two files wait for each other, which would
 * block a screen. The remaining code is split by the screens that need it. Without these layers, a list requested 80
 * files, six at a time.
 */
const LAYERS = {
  inside: INSIDE,
  forms: FORMS,
  lists: LISTS,
  choosing: CHOOSING,
  statements: STATEMENTS,
  records: RECORDS,
  documents: DOCUMENTS,
  entities: ENTITIES,
};
const layers = Object.entries(LAYERS).map(([name, files], index) => ({
  name,
  priority: initial.priority - 1 - index,
  test: (id: string) => files.some((each) => id.endsWith(each)),
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
      ['/api', '/d/'].map((path) => [
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
    // In kB. The largest file draws PDFs and loads with the first one. `npm run bench` limits the size of the first
    // page.
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      output: {
        codeSplitting: { groups: [initial, ...layers] },
      },
    },
  },
});
