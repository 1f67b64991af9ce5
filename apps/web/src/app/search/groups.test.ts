// @vitest-environment jsdom
import '../../testing/setup.ts';
import { AREAS } from '@evenkeel/contract/areas';
import type { SearchResult } from '@evenkeel/contract/search';
import { isoDate } from '@evenkeel/core/dates';
import type { ReactElement } from 'react';
import { beforeEach, describe, expect, it } from 'vitest';
import { sessionUser, type SessionUser, updateSession } from '../../client/session.ts';
import { signedIn } from '../../screens/billing/testing/answers.tsx';
import { catalogue } from '../../testing/catalogue.ts';
import { privateRoutes } from '../routes.tsx';
import { mayOpen, type ScreenNeeds } from '../shell/access.ts';
import { menuFor } from '../shell/menu.ts';
import { commandsFor } from './commands.ts';
import { type Asked, groupsOf } from './groups.ts';
import { RESULT_KINDS } from './results.ts';

const books = { today: isoDate('2026-06-12'), fyStartMonth: 1, basis: 0 as const };

beforeEach(() => signedIn());

const userWith = (permissions: SessionUser['permissions'], userRole = 'Bookkeeper'): SessionUser | null => {
  updateSession({ permissions, userRole });
  return sessionUser();
};
const everything = () =>
  userWith(
    AREAS.map((area) => `Manage ${area}` as const),
    'Administrator',
  );

function shown(text: string, more: Partial<Asked> = {}) {
  const user = more.user === undefined ? everything() : more.user;
  const base = { results: undefined, isAnswered: more.results !== undefined, recents: [], expanded: [] };
  return groupsOf({ text, ...base, commands: commandsFor(user, []), books, ...more, user });
}

/** Returns the groups as `title: first | second`. */
const listed = (text: string, more: Partial<Asked> = {}): string[] =>
  shown(text, more).groups.map(({ title, aside, rows }) => {
    const words = rows.map((row) => [row.text, ...row.notes].join(' / '));
    return `${[title, aside].filter(Boolean).join(' ')}: ${words.join(' | ')}`;
  });

const invoice = (itemId: number): SearchResult => ({
  itemType: 2,
  itemId,
  itemText: `Invoice ${itemId}`,
  searchDisplayItems: ['Ridge Farm', '6/1/2026', '$250.00', '$50.00 open'],
});
const ridge: SearchResult = { itemType: 0, itemId: 5, itemText: 'Ridge Farm', searchDisplayItems: ['a@b.example'] };
const quarry: SearchResult = { itemType: 1, itemId: 8, itemText: 'Quarry', searchDisplayItems: [] };

describe('palette commands', () => {
  it('the palette offers every new-record form in the screen catalog and no unknown URL', () => {
    const addresses = commandsFor(everything(), []).flatMap(({ to }) => to ?? []);
    const makes = catalogue.flatMap(({ path, makes: all }) => all.map((query) => `${path}?${query}`));
    // The company's custom fields are on its settings page. GL accounts and deposits have the same form on two screens.
    const others = /property\d=0$|^\/glaccounts|^\/billing\?deposit=0$/;
    const product = (address: string) => address.replace('?product=', '?tab=products&product=');
    const alone = makes.filter((each) => !each.includes('{') && !others.test(each)).map(product);
    expect(addresses).toEqual(expect.arrayContaining(alone));
    // If the URL specifies no tab, the first tab of Billing opens.
    const known = new Set([
      '/billing?tab=open',
      ...catalogue.flatMap(({ path, ...parts }) => [
        path,
        ...[...parts.makes, ...parts.edits, ...parts.shows].map((query) => product(`${path}?${query}`)),
      ]),
    ]);
    const isKnown = (address: string) => known.has(address.replace(/#\w+$/, ''));
    expect(addresses.filter((address) => !isKnown(address))).toEqual([]);
  });

  /** Returns the paths of the screens that a session can open, as the route guards determine them. */
  const openTo = (user: SessionUser | null): string[] =>
    privateRoutes.flatMap(({ element, children = [] }) => {
      const { needs } = (element as ReactElement<{ needs: ScreenNeeds }>).props;
      return mayOpen(user, needs) ? children.map(({ path = '/' }) => path.replace(/\/:.*/, '')) : [];
    });
  const menuOf = (user: SessionUser | null) => menuFor(user).flatMap(({ items }) => items.map(({ label }) => label));
  const pathsOf = (user: SessionUser | null) =>
    commandsFor(user, []).flatMap(({ to }) => (to === undefined ? [] : [to.replace(/\?.*/, '')]));

  it.each(AREAS.flatMap((area) => [[area, 'View'] as const, [area, 'Manage'] as const]))(
    'with only %s permission (%s), the menu and the palette show only screens that the user can open',
    (area, level) => {
      const user = userWith([`${level} ${area}`]);
      expect(menuOf(user)).toEqual(area === 'Accounting' ? [area, 'Taxes'] : [area]);
      expect(openTo(user)).toEqual(expect.arrayContaining(pathsOf(user)));
    },
  );

  it('the palette offers a superuser everything except administrator screens', () => {
    const all = AREAS.map((area) => `Manage ${area}` as const);
    const administrators = [
      '/monthend',
      '/users',
      '/apikeys',
      '/webhooks',
      '/audit',
      '/health',
      '/settings',
      '/movein',
    ];
    const paths = pathsOf(userWith(all, 'Superuser'));
    expect(paths.filter((path) => administrators.includes(path))).toEqual([]);
    expect(new Set([...paths, ...administrators])).toEqual(new Set(pathsOf(everything())));
    expect(menuOf(userWith(all, 'Superuser'))).toEqual(
      menuOf(everything()).filter(
        (label) => !['Month End', 'Users', 'Audit Log', 'Health', 'Settings'].includes(label),
      ),
    );
  });

  it.each([
    ['new inv', ['Actions: New Invoice | New Bill | Add User']],
    ['add billing', ['Actions: New Invoice']],
    ['new bill', ['Actions: New Bill | New Invoice']],
    ['billing', ['Screens: Billing | Invoice History | Payments', 'Actions: New Invoice']],
    ['p&l', ['Reports: Profit & Loss Statement / this year']],
    ['p&l last quarter', ['Reports: Profit & Loss Statement / last quarter']],
    ['balance sheet', ['Reports: Balance Sheet / today']],
    ['balance sheet march 2026', ['Reports: Balance Sheet / 3/1/2026 – 3/31/2026']],
    ['trial 2025', ['Reports: Trial Balance / 1/1/2025 – 12/31/2025']],
    ['receive payment', ['Actions: Receive Payment', 'Screens: Payments']],
    ['reminder', ['Actions: Edit Payment Reminders']],
    ['deposit', ['Actions: New Deposit | Receive Payment']],
    ['import statement', ['Actions: Import Statement', 'Screens: Statements']],
    ['zzz', []],
    ['new >500', []],
  ])('the palette offers these commands for %s: %j', (text, wanted) => {
    expect(listed(text)).toEqual(wanted);
  });

  it('the palette opens a report for the dates in the search text, next to reports that are already open', () => {
    const toOf = (text: string) => shown(text).groups[0]?.rows[0]?.to;
    window.history.replaceState(null, '', '/billing');
    expect(toOf('p&l last quarter')).toBe('/reports?report=1_5_2026-01-01_2026-03-31_0_0_0');
    expect(toOf('balance sheet')).toBe('/reports?report=0_1_2026-01-01_2026-06-12_0_0_0');
    window.history.replaceState(null, '', '/reports?report=3_1_2026-01-01_2026-06-12_0_0_0');
    expect(toOf('p&l march 2026')).toBe(
      '/reports?report=3_1_2026-01-01_2026-06-12_0_0_0&report=1_8_2026-03-01_2026-03-31_0_0_0&active=1',
    );
  });

  it.each(AREAS)('with only View %s, the palette offers no actions, other reports, or other screens', (area) => {
    const user = userWith([`View ${area}`]);
    const kinds = commandsFor(user, []).map(({ kind, to = '' }) => `${kind} ${to.replace(/\?.*/, '')}`);
    const paths = new Set(kinds.map((each) => each.replace('screen ', '')));
    expect(kinds.filter((each) => !each.startsWith('screen '))).toEqual([]);
    const own: Readonly<Record<string, readonly string[]>> = {
      Dashboard: ['/'],
      Billing: ['/billing', '/onlinepayments'],
      Accounting: [
        '/accounting',
        '/taxes',
        '/budgets',
        '/profitcenters',
        '/locations',
        '/glaccounts',
        '/accountcategories',
      ],
    };
    expect([...paths]).toEqual(own[area] ?? [`/${area.toLowerCase()}`]);
    expect(listed('trial', { user })).toEqual(area === 'Reports' ? ['Reports: Trial Balance / today'] : []);
  });

  it.each([
    [
      'Billing',
      [
        'New Invoice',
        'Add Work Item',
        'Paste Work Items',
        'Add Scheduled Invoice',
        'Finance Charges',
        'New Estimate',
        'New Credit Memo',
        'Write Off Invoices',
        'Receive Payment',
      ],
    ],
    ['Expenses', ['New Bill', 'Add Scheduled Bill']],
    ['Customers', ['Add Customer']],
    ['Vendors', ['Add Vendor']],
    ['Products', ['Add Product / Service', 'Add Discount', 'Add Package Deal', 'Add Product Category']],
    // Banking forms that open on top of Accounting also require permission for Accounting.
    ['Banking', []],
    ['Reports', []],
    ['Dashboard', []],
  ] as const)(
    'with only Manage %s, the palette offers the actions %j, but no administrator actions',
    (area, wanted) => {
      const actions = commandsFor(userWith([`Manage ${area}`]), []).filter(({ kind }) => kind === 'action');
      expect(actions.map(({ text }) => text)).toEqual(wanted);
    },
  );
});

describe('palette records', () => {
  it("the palette orders record groups by their best match, and keeps a customer's actions in view", () => {
    const results = [ridge, ...[1, 2, 3, 4, 5, 6].map(invoice), quarry];
    expect(listed('ridge', { results })).toEqual([
      'Customers: Ridge Farm / a@b.example',
      'Invoices 4 of 6: ' +
        '1 · Ridge Farm / 6/1/2026 | 2 · Ridge Farm / 6/1/2026 | 3 · Ridge Farm / 6/1/2026 | ' +
        '4 · Ridge Farm / 6/1/2026 | Show all 6 invoices',
      'Reports: Statement of Account, Ridge Farm / this year',
      'Actions: New Invoice for Ridge Farm | Post Payment for Ridge Farm',
      'Vendors: Quarry',
    ]);
    expect(listed('ridge', { results, expanded: [2] })[1]).toMatch(/^Invoices: 1 .*6 · Ridge Farm/);
    const alone = [1, 2, 3, 4, 5, 6].map(invoice);
    expect(listed('ridge', { results: alone })[0]?.split(' | ')).toHaveLength(6);
  });

  it('if the text names an action, the palette lists that action first, followed only by customers and vendors', () => {
    const results = [ridge, quarry];
    expect(listed('new invoice for rid', { results })[0]).toBe('Actions: New Invoice for Ridge Farm');
    expect(listed('statement of rid', { results })[0]).toBe('Actions: Statement of Account, Ridge Farm / this year');
    expect(listed('payment to qua', { results })[0]).toBe(
      'Actions: Post Payment for Ridge Farm | Add Payment to Quarry',
    );
    for (const text of ['new bill for', 'new bill for ', 'new bill for ri']) {
      expect([text, listed(text)]).toEqual([text, ['Actions: New Bill | New Invoice']]);
    }
    expect(shown('new bill for rid', { results: [] }).isNothing).toBe(true);
    const user = userWith(['View Customers', 'View Billing']);
    expect(listed('new invoice for rid', { results, user })).toEqual([
      'Customers: Ridge Farm / a@b.example',
      'Vendors: Quarry',
    ]);
  });

  it('the palette limits the results to a type if the name of the type precedes a number', () => {
    const results = [ridge, invoice(10_554)];
    expect(listed('invoice 10554', { results })).toEqual(['Invoices: 10554 · Ridge Farm / 6/1/2026']);
    expect(listed('bill 10554', { results })).toEqual(['Actions: Add Customer “10554” | Add Vendor “10554”']);
  });

  it('the palette marks approximate matches and offers to create a record with the typed name', () => {
    const results = [
      { ...ridge, isClosest: true },
      { ...invoice(7), isClosest: true },
    ];
    expect(shown('rigde', { results }).isNothing).toBe(true);
    expect(listed('rigde', { results })).toEqual([
      'Closest: Ridge Farm / a@b.example | Invoice 7 · Ridge Farm / 6/1/2026',
      'Actions: Add Customer “rigde” | Add Vendor “rigde”',
    ]);
    expect(shown('rigde', { results }).groups[1]?.rows[0]).toMatchObject({
      to: '/customers?edit=0',
      state: { name: 'rigde' },
    });
    expect(shown('rigde', { results, isAnswered: false }).isNothing).toBe(false);
    expect(shown('rigde', { results: [] }).isNothing).toBe(true);
  });
});

describe('palette without search text', () => {
  const recents: Asked['recents'] = [
    { kind: 'record', itemType: 2, itemId: 36, text: 'Invoice 10436 · Ridge Farm', name: '' },
    { kind: 'record', itemType: 9, itemId: 138, text: '1100 Cash', name: 'Account' },
    { kind: 'command', id: 'report 1 5' },
    { kind: 'command', id: '/billing?edit=0' },
    { kind: 'command', id: '/gone' },
  ];

  it('the palette without search text shows the recent choices and the main actions', () => {
    expect(listed(' ', { recents })).toEqual([
      'Recent: Invoice 10436 · Ridge Farm | 1100 Cash / Account | Profit & Loss Statement / last quarter | New Invoice',
      'Actions: New Invoice | New Bill | Add Journal Entry | Add Customer',
    ]);
  });

  it('the palette omits choices that are no longer permitted', () => {
    const user = userWith(['View Billing']);
    expect(listed('', { recents, user })).toEqual([
      'Recent: Invoice 10436 · Ridge Farm',
      'Screens: Billing | Invoice History | Payments | Work Items | Scheduled Invoices | Credit Memos | Write-Offs | ' +
        'Online Payments',
    ]);
  });
});

it('each result type opens a URL in the screen catalog', () => {
  const names = [
    'customer',
    'vendor',
    'invoice',
    'bill',
    'product',
    'package',
    'payment',
    'billPayment',
    'entry',
    'account',
    'credit',
    'estimate',
    'workItem',
    'scheduledInvoice',
    'scheduledBill',
    'scheduledJournal',
    'writeOff',
  ];
  const known = catalogue.flatMap(({ path, edits, shows }) => [...edits, ...shows].map((query) => `${path}?${query}`));
  for (const [kind, { to }] of RESULT_KINDS.entries()) {
    const address = to(7)
      .replace('=7', `={${names[kind] ?? ''}}`)
      .replace(/tab=(products|work|writeoffs)&/, '');
    expect(known).toContain(address);
  }
});
