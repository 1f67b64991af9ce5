import type { Locator, Page } from 'playwright-core';
import type { Hand, Task } from './hand.ts';
import { button, field, picker } from './pages/fields.ts';
import { BOOKS } from './taskBooks.ts';

const seen = (place: Locator) => place.first().waitFor({ state: 'visible' });
const gone = (place: Locator) => place.first().waitFor({ state: 'hidden' });
const menu = (page: Page, label: string) => page.getByRole('link', { name: label, exact: true });
const row = (page: Page, words: string) => page.getByRole('row').filter({ hasText: words });
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name });

/** 11 debits of 10.00 to an expense account, and 110.00 from the bank, as copied from a spreadsheet. */
const ROWS = [
  ...Array.from({ length: 11 }, (_, at) => `Office Supplies & Software\tPaper ${at + 1}\t10.00\t`),
  'Checking\tPaper\t\t110.00',
].join('\n');

const newcomer: Task = {
  name: 'From the sign-in page to the first invoice of a new company, its customer included',
  from: '/login',
  // Two of the clicks skip the first-time setup.
  before: { clicks: 6, keys: 16 },
  run: async (hand, { email, password }) => {
    const { page } = hand;
    await seen(page.locator('input:focus'));
    await hand.type(email);
    await hand.tabTo('Password');
    await hand.type(password);
    await hand.press('Enter');
    await hand.click(button(page, 'Accept'), button(page, 'Skip Setup'), button(page, 'Skip Setup'));
    await hand.click(menu(page, 'Billing'), button(page, 'Add Billing'));
    const entry = dialog(page, 'Billing Entry');
    await seen(picker(entry, 'Customer'));
    await hand.type('Harbor Bakery');
    await page.getByRole('option').first().waitFor();
    await hand.press('Enter');
    await seen(dialog(page, 'Add Customer'));
    await hand.type('office@harbor.example');
    await hand.press('Enter');
    await gone(dialog(page, 'Add Customer'));
    await line(hand, entry);
    await hand.press('Control+Enter');
    await gone(entry);
    await seen(row(page, 'Harbor Bakery'));
  },
};

/** Adds a free-form line: Gravel for 80.00. */
async function line(hand: Hand, entry: Locator): Promise<void> {
  await hand.click(field(entry, 'Description'));
  await hand.next('Gravel');
  await hand.tabTo('Account');
  await hand.choose('Service Income');
  await hand.tabTo('Price');
  await hand.type('80');
}

const invoiceByKeys: Task = {
  name: 'An invoice by keyboard alone, from the list of invoices',
  from: '/billing',
  before: { clicks: 0, keys: 18 },
  run: async (hand) => {
    const { page } = hand;
    await hand.press('Control+k');
    await hand.choose('New invoice');
    const entry = dialog(page, 'Billing Entry');
    await seen(picker(entry, 'Customer'));
    await hand.choose('Canal Stores');
    await hand.tabTo('Product/Package/Discount');
    await hand.choose(BOOKS.product);
    await hand.tabTo('Quantity');
    await hand.type('3');
    await hand.press('Control+Enter');
    await gone(entry);
  },
};

const findInvoice: Task = {
  name: 'Last year’s invoice by its amount',
  finds: true,
  before: { clicks: 14, keys: 0 },
  run: async (hand) => {
    const { page } = hand;
    await hand.click(menu(page, 'Billing'), page.getByRole('tab', { name: 'Invoice History' }));
    await hand.click(field(page, 'Search all years...'));
    await hand.type(BOOKS.lastYear);
    await seen(row(page, BOOKS.lastYear));
  },
};

const owesMost: Task = {
  name: 'Who owes most',
  finds: true,
  before: { clicks: 3, keys: 0 },
  run: async (hand) => {
    const { page } = hand;
    await hand.click(menu(page, 'Customers'));
    const balance = page.getByRole('columnheader', { name: 'Balance' });
    const sorted = page.locator('th[aria-sort]').and(balance);
    await hand.click(balance.getByRole('button'));
    await seen(sorted);
    if ((await sorted.getAttribute('aria-sort')) === 'ascending') await hand.click(balance.getByRole('button'));
    await seen(page.getByRole('row').nth(1).filter({ hasText: BOOKS.debtor }));
  },
};

const payThree: Task = {
  name: 'Three bills of three vendors, paid',
  before: { clicks: 7, keys: 0 },
  run: async (hand) => {
    const { page } = hand;
    await hand.click(menu(page, 'Expenses'));
    await hand.click(...BOOKS.bills.map((number) => page.getByRole('checkbox', { name: `Select ${number}` })));
    await hand.click(button(page, 'Pay 3 Bills'), button(page, /^Post 3 Payments/));
    await seen(page.getByText('3 payments posted'));
  },
};

const correctPaid: Task = {
  name: 'A paid invoice, found by its amount and its description corrected',
  before: { clicks: 8, keys: 3 },
  run: async (hand) => {
    const { page } = hand;
    await hand.click(menu(page, 'Billing'), page.getByRole('tab', { name: 'Invoice History' }));
    await hand.click(field(page, 'Search all years...'));
    await hand.type(BOOKS.paid);
    await hand.click(row(page, BOOKS.paid), button(page, 'Open Billing Invoice'));
    const entry = dialog(page, 'Billing Entry');
    await hand.click(entry.getByText('Work', { exact: true }));
    await hand.click(field(entry, 'Description'));
    await hand.press('Control+a');
    await hand.type('Work, corrected');
    await hand.press('Control+Enter');
    await gone(entry);
  },
};

const journal: Task = {
  name: 'A journal entry of 12 lines, pasted from a spreadsheet',
  before: { clicks: 2, keys: 98 },
  run: async (hand) => {
    const { page } = hand;
    await hand.click(menu(page, 'Accounting'), button(page, 'Add Journal Entry'));
    const entry = dialog(page, 'Journal Entry');
    await seen(entry.locator('tr[data-line]'));
    await hand.paste(ROWS);
    await seen(entry.getByText('In Balance'));
    await hand.press('Control+Enter');
    await gone(entry);
  },
};

const profitAndLoss: Task = {
  name: 'Profit & loss of this year to date next to last year’s',
  before: { clicks: 7, keys: 1 },
  run: async (hand) => {
    const { page } = hand;
    await hand.click(menu(page, 'Reports'), button(page, /^Period /), button(page, 'Year to Date'));
    await hand.click(button(page, 'Profit & Loss Statement'), picker(page, 'Compare'));
    await hand.click(page.getByRole('option', { name: 'Same period last year' }), button(page, 'Run'));
    await seen(page.getByRole('article').getByText('Difference', { exact: true }));
  },
};

const statement: Task = {
  name: 'The statement of a customer',
  before: { clicks: 3, keys: 0 },
  run: async (hand) => {
    const { page } = hand;
    await hand.click(menu(page, 'Customers'), row(page, BOOKS.debtor), button(page, 'Statement'));
    await seen(page.getByText(`Statement for ${BOOKS.debtor}`));
  },
};

const receipt: Task = {
  name: 'A bill with its receipt',
  before: { clicks: 6, keys: 15 },
  run: async (hand) => {
    const { page } = hand;
    await hand.click(menu(page, 'Expenses'), button(page, 'Add Expense'));
    const entry = dialog(page, 'Expense Entry');
    await seen(picker(entry, 'Vendor'));
    await hand.choose('Oak Yard');
    await hand.tabTo('Invoice Number');
    await hand.type('R-1');
    await hand.tabTo('Account');
    await hand.choose('Office Supplies');
    await hand.tabTo('Description');
    await hand.type('Paper');
    await hand.tabTo('Amount');
    await hand.type('12.50');
    await hand.click(entry.getByRole('tab', { name: 'Attachments' }));
    await hand.attach(button(entry, /Attach Files/), 'receipt.pdf');
    await seen(entry.getByText('receipt.pdf'));
    await hand.click(button(entry, 'Save/Send'));
    await gone(entry);
  },
};

/** Ten tasks that bookkeepers do first and most often. */
export const TASKS: readonly Task[] = [
  newcomer,
  invoiceByKeys,
  findInvoice,
  owesMost,
  payThree,
  correctPaid,
  journal,
  profitAndLoss,
  statement,
  receipt,
];
