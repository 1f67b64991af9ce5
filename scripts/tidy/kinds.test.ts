import { expect, test } from 'vitest';
import { root } from '../checkout.mjs';
import { readTree } from '../tidy.ts';
import { child, type Code, parse, text, walk } from './source.ts';

// The files that know a kind of document, counted for estimates, which have everything that a kind can have.

/** The files that list the kinds, or what belongs to them. A new kind is added to these and is otherwise new files. */
const LISTS = [
  'apps/server/src/books/documents/settlement.sql.ts',
  'apps/server/src/features/billing/sent-documents.ts',
  'apps/web/src/app/search/commands.ts',
  'apps/web/src/screens/billing/tabs.tsx',
  'packages/contract/src/all.ts',
  'packages/core/src/documents/side.ts',
];

/** The files that know more of estimates than a list does, because invoices are made from them. */
const OF_ESTIMATES_ALONE = [
  // The accepted ones wait on the dashboard.
  'apps/server/src/across/dashboard/waiting.ts',
  'apps/web/src/screens/dashboard/NextSteps.tsx',
  'packages/contract/src/dashboard.ts',
  // No line is invoiced for more than its estimate.
  'apps/server/src/across/health/books-verify.ts',
  // An invoice and its lines name the estimate that they were made from.
  'apps/server/src/books/documents/documents.sql.ts',
  'apps/server/src/features/billing/invoice-lines.ts',
  'apps/server/src/features/billing/invoices.sql.ts',
  'apps/server/src/features/billing/invoices.ts',
  'apps/server/src/features/billing/views.ts',
  'apps/web/src/screens/billing/invoices/InvoicePanel.tsx',
  'packages/contract/src/billing.ts',
  // The demo company has some.
  'apps/server/src/app/demo/write.ts',
];

/** Whether code, apart from comments, has the word in a name or a text. */
function names(code: Code, word: RegExp): boolean {
  let found = false;
  walk(code.program, (node) => {
    const words = [text(node, 'name'), text(node, 'value'), text(child(node, 'value'), 'raw')];
    if (node.type === 'TemplateElement') words.push(code.text.slice(node.start, node.end));
    found ||= words.some((each) => each !== undefined && word.test(each));
  });
  return found;
}

/** The files of the product that know a kind and are not its own, by path. */
function knowing(word: RegExp): string[] {
  return readTree(root)
    .filter(({ path }) => /^(apps|packages\/(core|contract))\/.*\/?src\//.test(path))
    .filter(({ path }) => !/\.test\.|\/testing\/|\.torture\.|platform\/db\/types\.ts$/.test(path) && !word.test(path))
    .filter((source) => word.test(source.text))
    .flatMap((source) => parse(source) ?? [])
    .filter((code) => names(code, word))
    .map(({ path }) => path)
    .toSorted();
}

test('a new kind of document touches at most 6 existing files', () => {
  expect(LISTS.length).toBeLessThanOrEqual(6);
  // estimateSize is an option of the library that draws only the visible rows.
  expect(knowing(/estimate(?!Size)/i)).toEqual([...LISTS, ...OF_ESTIMATES_ALONE].toSorted());
  expect(LISTS.length + OF_ESTIMATES_ALONE.length).toBeLessThanOrEqual(20);
});
