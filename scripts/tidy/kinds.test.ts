import { expect, test } from 'vitest';
import { root } from '../checkout.mjs';
import { readTree } from '../tidy.ts';
import { child, type Code, parse, text, walk } from './source.ts';

// Counts the files that refer to a kind of document. Estimates are the example, because they have everything that a
// kind can have.

/**
 * The files that list the kinds or their parts. A new kind is added to these files, and everything else is in new
 * files.
 */
const LISTS = [
  'apps/server/src/books/documents/settlement.sql.ts',
  'apps/server/src/features/billing/sent-documents.ts',
  'apps/web/src/app/search/commands.ts',
  'apps/web/src/screens/billing/tabs.tsx',
  'packages/contract/src/all.ts',
  'packages/core/src/documents/side.ts',
];

/** The files that refer to estimates for other reasons, mainly because invoices are created from estimates. */
const OF_ESTIMATES_ALONE = [
  // The dashboard lists accepted estimates.
  'apps/server/src/across/dashboard/waiting.ts',
  'apps/web/src/screens/dashboard/NextSteps.tsx',
  'packages/contract/src/dashboard.ts',
  // The quantity that is invoiced for a line can't exceed the quantity on its estimate.
  'apps/server/src/across/health/books-verify.ts',
  // An invoice and its lines refer to the estimate from which they were created.
  'apps/server/src/books/documents/documents.sql.ts',
  'apps/server/src/features/billing/invoice-lines.ts',
  'apps/server/src/features/billing/invoices.sql.ts',
  'apps/server/src/features/billing/invoices.ts',
  'apps/server/src/features/billing/views.ts',
  'apps/web/src/screens/billing/invoices/BillingEntry.tsx',
  'apps/web/src/screens/billing/invoices/InvoicePanel.tsx',
  'packages/contract/src/billing.ts',
  // An estimate can be started from a customer's page.
  'apps/web/src/screens/customers/CustomersScreen.tsx',
  // The demo company has estimates.
  'apps/server/src/app/demo/write.ts',
];

/** Returns whether code without its comments has the word in a name or a string. */
function names(code: Code, word: RegExp): boolean {
  let found = false;
  walk(code.program, (node) => {
    const words = [text(node, 'name'), text(node, 'value'), text(child(node, 'value'), 'raw')];
    if (node.type === 'TemplateElement') words.push(code.text.slice(node.start, node.end));
    found ||= words.some((each) => each !== undefined && word.test(each));
  });
  return found;
}

/** Returns the product's files that refer to a kind but don't belong to it, by path. */
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

test('a new kind of document changes at most 6 existing files', () => {
  expect(LISTS.length).toBeLessThanOrEqual(6);
  // `estimateSize` is an option of a library that renders only the visible rows.
  expect(knowing(/estimate(?!Size)/i)).toEqual([...LISTS, ...OF_ESTIMATES_ALONE].toSorted());
  expect(LISTS.length + OF_ESTIMATES_ALONE.length).toBeLessThanOrEqual(20);
});
