import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Person } from './company.ts';
import { journey } from './journey.ts';
import { gone, holds, seen } from './look.ts';
import { button, field, picker } from './pages/fields.ts';
import { pressOften } from './pressOften.ts';
import { catalogue } from '../../apps/web/src/testing/catalogue.ts';
import { visit } from './visit.ts';

const LOST = 'The connection was lost. Your changes are still here. Try again.';
const EARLIER =
  'Your first attempt was saved, but without your latest changes. Close this form and open the ' + 'saved record.';

interface Form {
  /** The URL of the form for a new record. */
  at: string;
  /** The name field, and the other required fields. */
  name: string;
  rest?: (dialog: Locator) => Promise<void>;
  /** The label on the form's button. Defaults to Save. */
  save?: string;
  /** The call that creates the record, and the call that lists all records. */
  made: RegExp;
  list: string;
}

const email = (dialog: Locator) => field(dialog, 'Email').fill('lost@answer.example');

/** Selects the first option. */
async function first(dialog: Locator, label: string): Promise<void> {
  await picker(dialog, label).click();
  await dialog.page().getByRole('option').first().click();
}

/** The number of invited users so far, which makes their addresses unique. */
let invited = 0;

const FORMS: readonly Form[] = [
  {
    at: '/users?user=0',
    name: 'First Name',
    rest: async (dialog) => {
      await field(dialog, 'Last Name').fill('Answer');
      await field(dialog, 'Email').fill(`user${(invited += 1)}@answer.example`);
      await first(dialog, 'Role');
    },
    made: /\/api\/useradmin$/,
    list: '/useradmin',
  },
  { at: '/users?tab=roles&role=0', name: 'Role Name', made: /\/api\/userroles$/, list: '/userroles' },
  { at: '/profitcenters?edit=0', name: 'Name', made: /\/api\/profitcenters$/, list: '/profitcenters' },
  { at: '/locations?edit=0', name: 'Name', made: /\/api\/locations$/, list: '/locations' },
  { at: '/accountcategories?edit=0', name: 'Name', made: /\/api\/accountcategories$/, list: '/accountcategories' },
  { at: '/settings?paymenttype=0', name: 'Name', made: /\/api\/paymenttypes$/, list: '/paymenttypes' },
  { at: '/customers?edit=0', name: 'Customer Name', rest: email, made: /\/api\/customer$/, list: '/customer' },
  { at: '/vendors?edit=0', name: 'Vendor Name', rest: email, made: /\/api\/vendor$/, list: '/vendor' },
  {
    at: '/products?tab=categories&category=0',
    name: 'Category',
    made: /\/api\/ProductCategory\/CreateProductCategory$/,
    list: '/ProductCategory',
  },
  {
    at: '/products?product=0',
    name: 'Name',
    rest: async (dialog) => {
      await first(dialog, 'Category');
      await first(dialog, 'Revenue Account');
      await field(dialog, 'Description').fill('Sold by the hour');
      await field(dialog, 'Price').fill('12.50');
    },
    made: /\/api\/product\/CreateProduct$/,
    list: '/product',
  },
  {
    at: '/products?tab=discounts&discount=0',
    name: 'Name',
    rest: async (dialog) => {
      await field(dialog, 'Fixed Amount').fill('5');
      await field(dialog, 'Description').fill('For the first order');
      await first(dialog, 'Account');
    },
    made: /\/api\/discount\/CreateDiscount$/,
    list: '/discount',
  },
  {
    // Uses the product that was created earlier.
    at: '/products?tab=packages&package=0',
    name: 'Name',
    rest: async (dialog) => {
      await field(dialog, 'Description').fill('Two for one');
      await button(dialog, 'Add Product').click();
      const adding = dialog.page().getByRole('dialog', { name: 'Add Product', exact: true });
      await first(adding, 'Product');
      await field(adding, 'Quantity').fill('2');
      await button(adding, 'Add').click();
      await gone(adding);
    },
    made: /\/api\/package\/CreatePackage$/,
    list: '/package',
  },
  {
    at: '/settings?salestax=0',
    name: 'Scenario Name',
    rest: async (dialog) => {
      await first(dialog, 'GL Account');
      await first(dialog, 'Filing Frequency');
    },
    made: /\/api\/salestax$/,
    list: '/salestax',
  },
  {
    // A custom field on a customer's Info tab.
    at: '/settings?property0=0',
    name: 'Name',
    rest: (dialog) => first(dialog, 'Type'),
    made: /\/api\/entitydetails$/,
    list: '/entitydetails/0',
  },
  {
    at: '/accounting?edit=0',
    name: 'Account Name',
    rest: (dialog) => first(dialog, 'Base Account'),
    made: /\/api\/accountsetup$/,
    list: '/customerchartofaccounts',
  },
  {
    // Uses a customer that was created earlier.
    at: '/billing?workitem=0',
    name: 'Description',
    rest: async (dialog) => {
      await first(dialog, 'Customer');
      await first(dialog, 'Account');
      await field(dialog, 'Price').fill('86');
    },
    made: /\/api\/workitems$/,
    list: '/workitems',
  },
  {
    at: '/accounting?transfer=0',
    name: 'Memo',
    rest: async (dialog) => {
      await first(dialog, 'From');
      await picker(dialog, 'To').click();
      await dialog.page().getByRole('option').last().click();
      await field(dialog, 'Amount').fill('10');
    },
    made: /\/api\/transfer$/,
    list: '/transfer',
  },
  {
    at: '/accounting?deposit=0',
    name: 'Memo',
    rest: async (dialog) => {
      await button(dialog, 'Add Line').click();
      await first(dialog, 'Account');
      await field(dialog, 'Amount').fill('12.50');
    },
    made: /\/api\/deposit$/,
    list: '/deposit',
  },
  {
    // At this point, the account number has been filled in automatically.
    at: '/expenses?edit=0',
    name: 'Invoice Number',
    rest: async (dialog) => {
      await first(dialog, 'Vendor');
      await first(dialog, 'Account');
      await field(dialog, 'Description').fill('Gravel');
      await field(dialog, 'Amount').fill('12.50');
    },
    save: 'Save/Send',
    made: /\/api\/expenseinvoice$/,
    list: '/expenseinvoice',
  },
  {
    // This form comes after the deposit, because with two bank accounts, the deposit has no preselected account.
    at: '/banking?tab=accounts&bankaccount=0',
    name: 'Name',
    save: 'Add Account',
    rest: async (dialog) => {
      await field(dialog, 'Account Number').fill('004417');
    },
    made: /\/api\/bankingaccount$/,
    list: '/bankingaccount',
  },
  {
    at: '/banking?rules=1&rule=0',
    name: 'Name',
    rest: async (dialog) => {
      await field(dialog, 'Words').fill('LOST ANSWER');
      await first(dialog, 'Account');
    },
    made: /\/api\/bankrule$/,
    list: '/bankrule',
  },
  {
    at: '/billing?template=0',
    name: 'Name',
    rest: async (dialog) => {
      await first(dialog, 'Customer');
      await first(dialog, 'Account');
      await field(dialog, 'Description').fill('Retainer');
      await field(dialog, 'Price').fill('86');
    },
    made: /\/api\/scheduledinvoice$/,
    list: '/scheduledinvoice',
  },
];

/** Forms for new records that are not in the list above, and the reason for each. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  '/billing?edit=0': 'saving.e2e.ts loses its answer',
  '/billing?creditmemo=0': 'the form of /billing?edit=0',
  '/billing?creditof={invoice}': 'CreditInvoice.test.tsx',
  '/billing?editestimate=0': 'the form of /billing?edit=0',
  '/billing?copy={invoice}': 'the form of /billing?edit=0',
  '/billing?copycredit={credit}': 'the form of /billing?edit=0',
  '/billing?copyestimate={estimate}': 'the form of /billing?edit=0',
  '/expenses?copy={bill}': 'the form of /expenses?edit=0',
  '/billing?invoiceof={estimate}': 'InvoiceEstimate.test.tsx',
  '/billing?pay=i{invoice}': 'BillingPaymentDialog.test.tsx',
  '/billing?pay=e{customer}': 'BillingPaymentDialog.test.tsx',
  '/expenses?pay=i{bill}': 'the dialog of /billing?pay=i{invoice}',
  '/expenses?pay=e{vendor}': 'the dialog of /billing?pay=e{customer}',
  '/expenses?pay=s{bill}.{otherBill}': 'SeveralBills.test.tsx',
  '/billing?pay=e0': 'the dialog of /billing?pay=e{customer}',
  '/billing?deposit=0': 'the form of /accounting?deposit=0',
  '/billing?pay=r{customer}': 'BillingPaymentDialog.test.tsx',
  '/expenses?pay=r{vendor}': 'the dialog of /billing?pay=r{customer}',
  '/billing?pay=s{invoice}': 'the dialog of /expenses?pay=s{bill}.{otherBill}',
  '/accounting?repeat={entry}': 'saves as /billing?template=0 does',
  '/billing?paste=1': 'workItemPaste.test.ts',
  '/expenses?template=0': 'the form of /billing?template=0',
  '/customers?new={customer}': 'the form of /billing?edit=0',
  '/customers?pay=e{customer}': 'the dialog of /billing?pay=e{customer}',
  '/vendors?new={vendor}': 'the form of /expenses?edit=0',
  '/vendors?pay=e{vendor}': 'the dialog of /expenses?pay=e{vendor}',
  '/accounting?journal=n0': 'JournalModal.test.tsx',
  '/accounting?journal=c{entry}': 'JournalModal.test.tsx',
  '/glaccounts?edit=0': 'the form of /accounting?edit=0',
  '/apikeys?apikey=0': "a lost key can't be shown again, so the second attempt creates another one",
  '/webhooks?edit=0': "a lost secret can't be shown again, so the second attempt creates another one",
  '/settings?taxrule=0': 'saves as /settings?paymenttype=0 does',
  '/taxes?agency=0': 'saves as /settings?paymenttype=0 does',
  '/settings?property1=0': 'the form of /settings?property0=0',
  '/settings?property2=0': 'the form of /settings?property0=0',
};

/** Returns the number of records in a list that contain this text. */
async function countOf({ api }: Person, list: string, text: string): Promise<number> {
  const headers = { authorization: `Bearer ${api.token ?? ''}` };
  const answer: unknown = await (await fetch(`${api.url}/api${list}`, { headers })).json();
  const inside = answer !== null && typeof answer === 'object' && 'items' in answer ? answer.items : answer;
  const rows: unknown[] = Array.isArray(inside) ? inside : [];
  return rows.filter((row) => JSON.stringify(row).includes(text)).length;
}

/**
 * Lets the next call of this kind reach the server, and drops its response. Records the key and status of each call.
 */
async function loseOne(page: Page, made: RegExp): Promise<[key: string | undefined, status: number][]> {
  const calls: [string | undefined, number][] = [];
  await page.unrouteAll();
  await page.route(made, async (route) => {
    if (route.request().method() === 'GET') return route.fallback();
    const answer = await route.fetch();
    calls.push([route.request().headers()['idempotency-key'], answer.status()]);
    return calls.length === 1 ? route.abort('connectionreset') : route.fulfill({ response: answer });
  });
  return calls;
}

/** Enters a new record and saves it, but the response is lost. */
async function lose(page: Page, form: Form, name: string): Promise<[string | undefined, number][]> {
  await visit(page, form.at);
  const dialog = page.getByRole('dialog');
  await field(dialog, form.name).first().fill(name);
  await form.rest?.(dialog);
  const calls = await loseOne(page, form.made);
  await button(dialog, form.save ?? 'Save').click();
  await seen(dialog.getByText(LOST));
  return calls;
}

/** Returns the drafts stored in this browser that contain this name. Runs in the page. */
const draftsOf = (name: string) =>
  Object.entries(localStorage).filter(([key, value]) => key.includes(':draft:') && value.includes(name));

/** The pauses between clicks in ms: shorter than a response, about as long as a response, and longer. */
const PAUSES = [0, 5, 20, 60];

/**
 * After a reload, saves again with 100 clicks. The clicks cause only one more request, with the same key, and only one
 * record exists.
 */
async function triedAgain(page: Page, person: Person, form: Form, name: string, pause: number): Promise<void> {
  const calls = await lose(page, form, name);
  await page.reload();
  const dialog = page.getByRole('dialog');
  await holds(field(dialog, form.name).first(), name);
  await button(dialog, form.save ?? 'Save').evaluate(pressOften, { times: 100, pause });
  await expect.poll(() => calls.map(([, status]) => status), { message: form.at }).toEqual([200, 200]);
  // Waits until the page has received the response. Otherwise, the response to this attempt would be lost as well, and
  // its draft and key would remain.
  await expect.poll(() => page.evaluate(draftsOf, name), { message: form.at }).toEqual([]);
  // If the form were reopened before it was closed, it would keep the lines of the saved record.
  await gone(field(dialog, form.name));
  expect([form.at, new Set(calls.map(([key]) => key)).size]).toEqual([form.at, 1]);
  expect([form.at, await countOf(person, form.list, name)]).toEqual([form.at, 1]);
}

/** Changes the record before the second attempt. The form reports the change, and no second record is created. */
async function changedBefore(page: Page, person: Person, form: Form, name: string): Promise<void> {
  const calls = await lose(page, form, name);
  const dialog = page.getByRole('dialog');
  const later = name.replace('Left Behind', 'Came Later');
  await field(dialog, form.name).first().fill(later);
  await button(dialog, form.save ?? 'Save').click();
  await seen(dialog.getByText(EARLIER));
  expect([form.at, calls.map(([, status]) => status)]).toEqual([form.at, [200, 409]]);
  const counts = [name, later].map((text) => countOf(person, form.list, text));
  expect([form.at, await Promise.all(counts)]).toEqual([form.at, [1, 0]]);
  // Removes the dialog's draft.
  await page.evaluate(() => {
    for (const key of Object.keys(localStorage)) if (key.includes(':draft:')) localStorage.removeItem(key);
  });
}

// Promise (browser): A record whose response was lost is saved only once, even if the user reloads the page or changes
// the record before retrying. [20 kinds]
journey('a record whose response was lost is saved only once, even after a reload or a change', async (stage) => {
  const forms = catalogue.flatMap(({ path, makes }) => makes.map((query) => `${path}?${query}`));
  expect([...FORMS.map(({ at }) => at), ...Object.keys(ELSEWHERE)].toSorted()).toEqual(forms.toSorted());
  const { administrator, addCard } = await stage.company('Lost Answers');
  await addCard();
  stage.health.allow(/ERR_CONNECTION_RESET/, /no answer/, /409/);
  const page = await stage.open('/', { as: administrator });
  for (const [index, form] of FORMS.entries()) {
    await triedAgain(page, administrator, form, `Tried Again ${index}`, PAUSES[index % PAUSES.length] ?? 0);
    await changedBefore(page, administrator, form, `Left Behind ${index}`);
  }
});
