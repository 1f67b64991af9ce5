import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { addBigBooks, BIG_CUSTOMER } from './bigBooks.ts';
import { daysAgo, today } from './books.ts';
import { answered, answersAfter, load } from './cold.ts';
import type { Person } from './company.ts';
import { tooSmall } from './touchTargets.ts';
import { type Stage, sizes } from './journey.ts';
import { linesInWork } from './linesInWork.ts';
import { dress, inaccessible, seen, stopFading } from './look.ts';
import { addOneOfEach, type Saved } from './oneOfEach.ts';
import { Search } from './pages/Search.ts';
import { type Part, placesIn, SCREENS } from './places.ts';
import { fitted } from './settled.ts';
import { shifts } from './shifts.ts';
import { cut, unreadable } from './values.ts';
import { visit } from './visit.ts';

/**
 * The delay for responses, which is long enough for a page to be drawn before the response arrives, as on a slow
 * network.
 */
const ANSWERS_AFTER_MS = 300;

/** The screens for sales. All other screens form the other half of the catalog. */
export const SALES = /^\/(billing|customers)\b/;
export const OTHERS = /^(?!\/(billing|customers)\b)/;

/** The maximum layout shift of a page while it loads. */
export const MOST_SHIFT = 0.02;

/**
 * The widths at which everything is checked: a desktop, the width below which the layout changes, a tablet, and a
 * phone.
 */
const ALWAYS = [1440, 1224, 768, 390];
/** Other widths. Each state is checked at one of these widths, in turn. */
const IN_TURN = [1920, 1400, 1366, 1280, 1024, 834];
const NARROWEST = 320;

/** The width from which the layout stays the same. */
const WIDE = 1224;

/** A state in the product: its URL, and the element that shows that the state has loaded. */
interface Stop {
  address: string;
  name: string;
  isScreen: boolean;
  arrived: (page: Page) => Promise<void>;
  /**
   * Whether the state is opened by loading the page or by following a link. Loading a page takes four times as long.
   */
  desk: 'load' | 'link';
  phone: 'load' | 'link';
}

interface Filled {
  as: Person;
  books: Saved;
}

/** Ordinary amounts, or amounts of 9,999,999.99 with profit centers and locations. */
type Books = 'plain' | 'big';

const filled: Partial<Record<Books, Promise<Filled>>> = {};

/** Returns a company with one record of every kind. All tests in a process share it because they only read. */
function filledCompany(stage: Stage, kind: Books): Promise<Filled> {
  const add = kind === 'big' ? addBigBooks : addOneOfEach;
  return (filled[kind] ??= stage.company(`Walk ${kind}`).then(async ({ administrator, addCard }) => {
    await addCard();
    return { as: administrator, books: await add(administrator.api) };
  }));
}

const heading = (name: string) => (page: Page) => seen(page.getByRole('heading', { level: 1, name, exact: true }));

const anything = (page: Page) =>
  seen(page.getByRole('dialog').or(page.getByRole('complementary')).or(page.getByRole('article')));

/** Returns the state that shows the search over a screen, with results. */
const searched = (customer: string) => async (page: Page) => {
  const search = new Search(page);
  await heading('Customers')(page);
  await search.open(customer);
  await seen(search.rows(`New Invoice for ${customer}`).or(search.rows(customer)));
  await search.answered();
};

/** Returns every screen, the dashboard a second time (because the device stores its cards), and the search. */
export function screenStops(_: Saved, kind: Books): Stop[] {
  const screens = [...SCREENS, ...SCREENS.slice(0, 1)].map(([address, name]): Stop => {
    return { address, name, isScreen: true, arrived: heading(name), desk: 'load', phone: 'load' };
  });
  const arrived = searched(kind === 'big' ? BIG_CUSTOMER : 'Oak Hollow');
  return [...screens, { address: '/customers', name: 'search', isScreen: false, arrived, desk: 'load', phone: 'load' }];
}

/** Returns everything in a part of the catalog that opens on screens with a matching path. */
export const stopsIn = (part: Part, path: RegExp) => (books: Saved) =>
  stopsOf(books, part).filter(({ name }) => path.test(name));

function stopsOf(books: Saved, part: Part): Stop[] {
  return placesIn(books, part).map(({ address, name }, at) => {
    // Tabs, parts of lists, and pages have a heading. All other states open a panel, a dialog, or a report.
    const isPage =
      /^\/movein|^\/approvals(?!.*edit=)|^\/webhooks\?webhook/.test(name) ||
      /\?(tab|part|statements|rules|exceptions)=\w+(&(part|kind)=\w+)?$/.test(name);
    const arrived = isPage ? (page: Page) => seen(page.getByRole('heading', { level: 1 })) : anything;
    // A click in a list may move the list to make space for a panel, so panels are loaded on a desktop. All dialogs on
    // a screen load with the same frame and list behind them, so only every third dialog is loaded. A link to a part of
    // a list replaces the list's rows, and a link to the sent reports closes the open reports.
    const desk = part === 'shows' || at % 3 === 0 ? 'load' : 'link';
    const phone = /\?(part|sent)=\w+$/.test(address) ? 'load' : 'link';
    return { address, name, isScreen: false, arrived, desk, phone };
  });
}

/** Opens a state. Returns the start time in ms since the page was loaded. */
async function come(page: Page, { address, arrived }: Stop, way: 'load' | 'link'): Promise<number> {
  if (way === 'load') {
    await load(page, address, () => arrived(page));
    return 0;
  }
  if (page.url() === 'about:blank') await load(page, '/', () => heading('Dashboard')(page));
  const since = await page.evaluate(() => performance.now());
  await visit(page, address);
  await arrived(page);
  await answered(page);
  return since;
}

/**
 * Returns the widths for the nth state. A screen is also checked at the narrowest width, and a dialog is not checked at
 * widths beyond its maximum.
 */
async function widthsOf(page: Page, at: number, isScreen: boolean): Promise<readonly number[]> {
  const widths = [...ALWAYS, IN_TURN[at % IN_TURN.length] ?? 0];
  const dialog = page.getByRole('dialog').last();
  if ((await dialog.count()) === 0) return isScreen ? [...widths, NARROWEST] : widths;
  const width = await dialog.evaluate((element) => element.clientWidth);
  return width < WIDE - 100 ? widths.filter((one) => one <= WIDE || one === sizes.desk.width) : widths;
}

/** Lists the unreadable values at each width, and the violations that axe finds on a desktop, a tablet, and a phone. */
async function faultsOf(page: Page, at: number, isScreen: boolean): Promise<string[]> {
  const found: string[] = [];
  for (const width of await widthsOf(page, at, isScreen)) {
    await page.setViewportSize({ width, height: 900 });
    await fitted(page);
    const all = [...(await cut(page)), ...(await unreadable(page))];
    for (const size of ['desk', 'tablet', 'phone'] as const) {
      if (sizes[size].width === width) all.push(...(await inaccessible(page, size)));
    }
    for (const each of all) found.push(`at ${width}: ${each}`);
  }
  await page.setViewportSize(sizes.desk);
  return found;
}

/** Opens a page with this size and delayed responses. */
export async function slowPage(stage: Stage, as: Person, size: keyof typeof sizes): Promise<Page> {
  const page = await stage.open('about:blank', { as, size });
  await answersAfter(page, ANSWERS_AFTER_MS);
  return page;
}

type StopsOf = (books: Saved, kind: Books) => readonly Stop[];

/**
 * Returns the books in which the nth state is opened at a size. At the other size, the state is opened in the other
 * books.
 */
function booksFor(at: number, size: 'desk' | 'phone'): Books {
  return (at % 2 === 0) === (size === 'desk') ? 'big' : 'plain';
}

/**
 * Opens each state with delayed responses. Lists the elements that shift while the state loads and, on a phone, the
 * controls that are too small.
 */
async function unsteady(stage: Stage, list: StopsOf, size: 'desk' | 'phone'): Promise<string[]> {
  const found: string[] = [];
  for (const kind of ['plain', 'big'] as const) {
    const { as, books } = await filledCompany(stage, kind);
    const page = await slowPage(stage, as, size);
    for (const [at, stop] of list(books, kind).entries()) {
      if (booksFor(at, size) !== kind) continue;
      const since = await come(page, stop, stop[size]);
      const { sum, moved } = await shifts(page, since);
      const name = `${stop.name} in ${kind} books`;
      if (sum > MOST_SHIFT) found.push(`${name} ${size} shifts: ${moved.join('; ')}`);
      if (size === 'phone') for (const each of await tooSmall(page)) found.push(`${name} is too small: ${each}`);
    }
  }
  return found;
}

/** Opens a page without transitions, so that changing the theme or width takes little time. */
async function calmPage(stage: Stage, as: Person): Promise<Page> {
  const page = await stage.open('/', { as });
  await stopFading(page);
  return page;
}

/**
 * Opens each state in books with large amounts, and lists values that are unreadable and parts that are inaccessible.
 */
async function unreadableIn(stage: Stage, list: StopsOf): Promise<string[]> {
  const found: string[] = [];
  const { as, books } = await filledCompany(stage, 'big');
  const page = await calmPage(stage, as);
  for (const [at, { address, name, isScreen, arrived }] of list(books, 'big').entries()) {
    await visit(page, address);
    await arrived(page);
    for (const each of await faultsOf(page, at, isScreen)) found.push(`${name} ${each}`);
  }
  return found;
}

/**
 * Opens each state on a desktop, on a phone, and at every width. Fails if anything shifts by more than 0.02 while it
 * loads, a control is too small for a finger, a value is truncated, covered, or wrapped, or axe finds a violation.
 */
export async function walk(stage: Stage, list: StopsOf): Promise<void> {
  // The three checks run at the same time, because each one spends half of its time waiting for responses.
  const found = await Promise.all([
    unsteady(stage, list, 'desk'),
    unsteady(stage, list, 'phone'),
    unreadableIn(stage, list),
  ]);
  expect(found.flat()).toEqual([]);
}

/**
 * Opens each state in books with large amounts, and lists values that are unreadable at any width, in both themes. This
 * takes ten times as long as checking the widths in turn.
 */
export async function walkEveryWidth(stage: Stage, list: StopsOf): Promise<void> {
  const found: string[] = [];
  const { as, books } = await filledCompany(stage, 'big');
  const page = await calmPage(stage, as);
  for (const { address, name, arrived } of list(books, 'big')) {
    await visit(page, address);
    await arrived(page);
    for (const theme of ['light', 'dark'] as const) {
      await dress(page, theme);
      for (const width of [...ALWAYS, ...IN_TURN]) {
        await page.setViewportSize({ width, height: 900 });
        await fitted(page);
        for (const each of [...(await cut(page)), ...(await unreadable(page))]) {
          found.push(`${name} at ${width}, ${theme}: ${each}`);
        }
      }
    }
    await dress(page, 'light');
    await page.setViewportSize(sizes.desk);
  }
  expect(found).toEqual([]);
}

/** Checks reports in each format and forms with a line that is being edited, at every width. */
export async function walkWidths(stage: Stage): Promise<void> {
  const { as, books } = await filledCompany(stage, 'big');
  const page = await calmPage(stage, as);
  const found: string[] = [];
  let states = 0;
  const look = async (what: string): Promise<void> => {
    for (const each of await faultsOf(page, states, false)) found.push(`${what} ${each}`);
    states += 1;
  };
  const range = `${daysAgo(365)}_${today()}`;
  for (const id of [0, 1, 100, 101, 103, 111, 118]) {
    await visit(page, `/reports?report=${id}_1_${range}_1_0_0_0&active=0`);
    await seen(page.getByRole('article'));
    await look(`report ${id}`);
  }
  await linesInWork(page, books, look);
  expect(found).toEqual([]);
}
