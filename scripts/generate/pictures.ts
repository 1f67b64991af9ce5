// Checks whether the README's screenshots show the current screens. `npm run screenshots` creates them.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown, type Plugin } from 'rolldown';
import { root } from '../checkout.mjs';

/** The folder with the screenshots. */
export const pictureFolder = join(root, 'docs/images');

/** The digest of each screenshot's screen at the time when the screenshot was created. */
export const digestFile = join(pictureFolder, 'screens.json');

/** The screenshots, with the entry file of each screen. */
export const pictures = {
  'dashboard-light': 'apps/web/src/screens/dashboard/Dashboard.tsx',
  'billing-light': 'apps/web/src/screens/billing/BillingScreen.tsx',
  'billing-entry-light': 'apps/web/src/screens/billing/invoices/BillingEntry.tsx',
  'report-light': 'apps/web/src/screens/reports/ReportsScreen.tsx',
  'accounting-dark': 'apps/web/src/screens/accounting/AccountingScreen.tsx',
} as const;
export type Picture = keyof typeof pictures;

/** Every screenshot also shows the app frame and its styles. */
const frame = ['apps/web/src/app/shell/AppShell.tsx', 'apps/web/src/ui/theme/ThemeProvider.tsx'];

/** Loads styles as text without comments. For images and fonts, loads only the file names. */
const assets: Plugin = {
  name: 'assets',
  load: (id) => {
    if (id.endsWith('.css')) {
      const text = readFileSync(id, 'utf8')
        .replace(/\/\*[\s\S]*?\*\//g, '')
        .replace(/\s+/g, ' ');
      return { code: `globalThis.style(${JSON.stringify(text)})`, moduleType: 'js', moduleSideEffects: true };
    }
    return /[?.](url|svg|woff2|png)$/.test(id) ? { code: 'export default 0', moduleType: 'js' } : undefined;
  },
};

/** Returns a digest of the code and styles that these files use. Comments, formatting, and tests don't count. */
export async function screenDigest(files: readonly string[]): Promise<string> {
  const bundle = await rolldown({
    input: Object.fromEntries(files.map((file, index) => [`entry${index}`, join(root, file)])),
    platform: 'browser',
    external: (id) => !/^(\.{0,2}\/|@evenkeel\/)/.test(id),
    plugins: [assets],
    logLevel: 'silent',
  });
  const { output } = await bundle.generate({ minify: true, entryFileNames: '[name].js', chunkFileNames: '[name].js' });
  await bundle.close();
  const digest = createHash('sha256');
  const parts = output.flatMap((part) => (part.type === 'chunk' ? [`${part.fileName}\0${part.code}\0`] : []));
  for (const part of parts.toSorted()) digest.update(part);
  return digest.digest('hex').slice(0, 16);
}

/** Returns the current digest of the screen in each screenshot. */
export async function currentDigests(): Promise<Record<string, string>> {
  const named = Object.entries(pictures).map(
    async ([name, file]) => [name, await screenDigest([...frame, file])] as const,
  );
  return Object.fromEntries(await Promise.all(named));
}
