import { ledgerCalls } from '@evenkeel/contract/ledger';
import { settingsCalls } from '@evenkeel/contract/settings';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { addCustomer, addInvoice, daysAgo } from './books.ts';
import { answersAfter, load } from './cold.ts';
import type { Person } from './company.ts';
import { tooSmall } from './fingers.ts';
import { journey, type Stage } from './journey.ts';
import { seen } from './look.ts';
import { addOneOfEach } from './oneOfEach.ts';
import { Search } from './pages/Search.ts';
import { type Place, placesIn, SCREENS } from './places.ts';
import { shifts } from './shifts.ts';
import { visit } from './visit.ts';

/** Long enough for a page to be drawn before its answers come, as it is over a slow network. */
const ANSWERS_AFTER_MS = 300;

const sizeNames = ['desk', 'tablet', 'phone'] as const;
type Size = (typeof sizeNames)[number];

/** An address, and how one sees that it is there. */
type Loaded = readonly [address: string, arrived: (page: Page) => Promise<void>];

/** Comes to the n-th address, and answers when it began, in ms from the page's load. */
type Come = (page: Page, address: string, arrived: () => Promise<void>, at: number) => Promise<number>;

async function byLoading(page: Page, address: string, arrived: () => Promise<void>): Promise<number> {
  await load(page, address, arrived);
  return 0;
}

async function byLink(page: Page, address: string, arrived: () => Promise<void>): Promise<number> {
  if (page.url() === 'about:blank') await load(page, '/', () => heading('Dashboard')(page));
  const since = await page.evaluate(() => performance.now());
  await visit(page, address);
  await arrived();
  return since;
}

/** A load costs four times a link, and all dialogs of a screen load with the same frame and list under them. */
const byTurns: Come = (page, address, arrived, at) => (at % 3 === 0 ? byLoading : byLink)(page, address, arrived);

/** A part of a list takes the place of another by a link, and whoever chooses it expects other rows: it is loaded. */
const byLinkOrLoad: Come = (page, address, arrived) =>
  (/\?part=\w+$/.test(address) ? byLoading : byLink)(page, address, arrived);

/**
 * At these widths comes to each page in turn, with answers that take their time; tells what shifts by more than 0.02,
 * and on a phone what is too small for a finger.
 */
async function faultsOf(
  stage: Stage,
  as: Person,
  places: readonly Loaded[],
  sizes: Partial<Record<Size, Come>> = { desk: byLoading, phone: byLoading },
): Promise<string[]> {
  const found: string[] = [];
  let most = 0;
  const walk = async (size: Size, come: Come): Promise<void> => {
    const page = await stage.open('about:blank', { as, size });
    await answersAfter(page, ANSWERS_AFTER_MS);
    for (const [at, [address, arrived]] of places.entries()) {
      const since = await come(page, address, () => arrived(page), at);
      const { sum, moved } = await shifts(page, since);
      most = Math.max(most, sum);
      if (sum > 0.02) found.push(`${address} ${size}: ${moved.join('; ')}`);
      if (size !== 'phone') continue;
      for (const each of await tooSmall(page)) found.push(`${address}: ${each}`);
    }
  };
  // Side by side, since both mostly wait; each in a browser profile of its own.
  const walks = sizeNames.flatMap((size) => (sizes[size] === undefined ? [] : [walk(size, sizes[size])]));
  await Promise.all(walks);
  console.log(`layout shift: at most ${most.toFixed(4)} on ${places.length} pages at ${Object.keys(sizes).join(', ')}`);
  return found;
}

const heading = (name: string) => (page: Page) => seen(page.getByRole('heading', { level: 1, name, exact: true }));

/** A tab, a part of a list and a page are there with their head; all else stands in a panel, a dialog or on paper. */
function opened({ address, name }: Place): Loaded {
  const isScreen = /\?(tab|part|statements|rules|exceptions)=\w+(&part=\w+)?$/.test(name);
  return [
    address,
    (page) =>
      seen(
        isScreen
          ? page.getByRole('heading', { level: 1 })
          : page.getByRole('dialog').or(page.getByRole('complementary')).or(page.getByRole('article')),
      ),
  ];
}

/** The search over a screen, with what it has found. */
const searched: Loaded = [
  '/customers',
  async (page) => {
    const search = new Search(page);
    await heading('Customers')(page);
    await search.open('oak hollow');
    await seen(search.rows('New Invoice for Oak Hollow'));
  },
];

journey(
  'no screen shifts by more than 0.02 while it loads, nor has a control too small for a finger',
  async (stage) => {
    const { administrator, addCard } = await stage.company('Steady Ground');
    await addCard();
    await addOneOfEach(administrator.api);
    // The first one again, as this device knows it: its cards stand there before their figures.
    const screens = [...SCREENS, ...SCREENS.slice(0, 1)].map(([path, name]): Loaded => [path, heading(name)]);
    expect(await faultsOf(stage, administrator, screens)).toEqual([]);
  },
);

// Promise (browser): On a phone, every control of lists, panels, and forms is at least 44 px. [112 pages]
journey('no tab, panel or dialog shifts by more than 0.02, nor has a control too small for a finger', async (stage) => {
  const { administrator, addCard } = await stage.company('Steady Dialogs');
  await addCard();
  const saved = await addOneOfEach(administrator.api);
  // As people come to them: by a link, and at a desk by their address too. A panel that opens beside a list moves it
  // there, as whoever clicks expects: only a load shows what moves by itself.
  const beside = [...placesIn(saved, 'shows').map(opened), searched];
  const over = placesIn(saved, 'makes', 'edits').map(opened);
  expect(await faultsOf(stage, administrator, beside, { desk: byLoading, phone: byLinkOrLoad })).toEqual([]);
  expect(await faultsOf(stage, administrator, over, { desk: byTurns, phone: byLink })).toEqual([]);
});

// Promise (browser): No screen, panel, or report shifts by more than 0.02 while it loads. [0.31 before]
journey('no report opened cold shifts by more than 0.02, with profit centers and locations', async (stage) => {
  const { administrator } = await stage.company('Steady Cold Reports');
  const { api } = administrator;
  const customerId = await addCustomer(api, 'Oak Hollow');
  for (const days of [1, 9, 40]) await addInvoice(api, { customerId, amount: '360.00', date: daysAgo(days) });
  await api.call(ledgerCalls.createProfitCenter, { body: { profitcenterid: 0, profitcentername: 'North' } });
  await api.call(ledgerCalls.createLocation, { body: { locationId: 0, locationName: 'Barn' } });
  for (const settingName of ['useProfitCenters', 'useLocations']) {
    await api.call(settingsCalls.saveSettings, { body: { settingName, settingValue: 'true' } });
  }
  const paper = (page: Page) => seen(page.locator('article[aria-busy="false"]'));
  const asked = (id: number) => `/reports?report=${id}_8_${daysAgo(300)}_${daysAgo(0)}_0_0_0`;
  const reports = [asked(101), `${asked(1)}&figure=1+Total+Income`, `${asked(1)}_month`];
  const places = reports.map((path) => [path, paper] as const);
  const ways = { desk: byLoading, tablet: byLoading, phone: byLoading };
  expect(await faultsOf(stage, administrator, places, ways)).toEqual([]);
});
