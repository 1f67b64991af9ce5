import { authCalls } from '@evenkeel/contract/auth';
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { Api } from './api.ts';
import { addCustomer } from './books.ts';
import { boxesIn } from './boxes.ts';
import { mailedLink, PASSWORD, type Person } from './company.ts';
import { journey, type Stage } from './journey.ts';
import { gone, holds, seen } from './look.ts';
import { addOneOfEach, type Saved } from './oneOfEach.ts';
import { button, field } from './pages/fields.ts';
import { Customers } from './pages/Customers.ts';
import { Frame } from './pages/Frame.ts';
import { Registration } from './pages/Registration.ts';
import { Search } from './pages/Search.ts';
import { SignIn } from './pages/SignIn.ts';
import { newForms, PAGE_FORMS } from './places.ts';
import { expireSessions, sessionOf } from './sessions.ts';
import { anotherTab } from './tabs.ts';
import { visit } from './visit.ts';

/** Opens Company Info for editing. Returns its name field. */
async function companyName(page: Page) {
  await new Frame(page).go('Settings');
  await button(page, 'Edit Company Info').click();
  return field(page.getByRole('dialog'), 'Company Name');
}

/** A user who signs in, and that user's password. */
interface Entry {
  email: string;
  password?: string;
}

async function signInAs(page: Page, { email, password = PASSWORD }: Entry): Promise<void> {
  const signIn = new SignIn(page);
  await seen(signIn.heading);
  await signIn.enter(email, password);
  await seen(new Frame(page).title('Dashboard'));
}

/** Leaves a dialog that asks whether to save, and signs out. */
async function leave(page: Page): Promise<void> {
  await page.goto('/');
  await new Frame(page).logout();
}

/** Simulates a sign-in in another tab of this browser without signing out first. */
const signedInElsewhere = (page: Page, session: Person['session']): Promise<void> =>
  page.evaluate((text) => localStorage.setItem('user', text), JSON.stringify(session));

const MARK = 'Typed by Ours';

/** Opens each form for a new record, one after another. Returns the form's first box for text, a date, or a number. */
async function eachForm(page: Page, saved: Saved, look: (box: Locator, word: string) => Promise<void>): Promise<void> {
  const forms = newForms(saved).map(({ address }) => ({ address, form: page.getByRole('dialog').last() }));
  const parts = PAGE_FORMS.map((address) => ({ address, form: page.locator('.st-column') }));
  for (const { address, form } of [...forms, ...parts]) {
    await visit(page, address);
    const firstOf = async () => (await boxesIn(form, MARK)).find(({ name }) => !name.startsWith('combobox'));
    // The form's code may be loaded, but the form may not be drawn yet.
    await expect.poll(firstOf, { message: address }).toBeDefined();
    const first = await firstOf();
    if (first === undefined) throw new Error(`${address} has no text box`);
    await look(form.locator(`[data-box="${first.mark}"]`), first.word);
  }
}

/** Returns the open form, whatever record it shows. */
const formOf = (page: Page): string => new URL(page.url()).pathname + new URL(page.url()).search.replace(/\d+$/, '');

/** Returns the entries in the browser's storage, without the session, the theme, and these users' keys. */
const keptBeside = (page: Page, persons: readonly Person[]): Promise<string[]> =>
  page.evaluate(async (owners) => {
    const databases = (await indexedDB.databases()).map(({ name }) => `database ${name ?? ''}`);
    const workers = await navigator.serviceWorker.getRegistrations();
    const caches = 'caches' in globalThis ? await globalThis.caches.keys() : [];
    const local = Object.keys(localStorage).filter((key) => !owners.some((owner) => key.startsWith(owner)));
    return [...local, ...databases, ...caches, ...workers.map(({ scope }) => scope), document.cookie].filter(Boolean);
  }, persons.map(ownerOf));

/** Returns the prefix of the storage keys for one user in one company. */
const ownerOf = ({ session }: Person): string => `${session.companyId}.${session.id}.${session.companySince ?? ''}:`;

/** Returns the entries stored for one user in one company. */
const keptFor = (page: Page, person: Person): Promise<[string, string][]> =>
  page.evaluate(
    (owner) => Object.entries<string>(localStorage).filter(([key]) => key.startsWith(owner)),
    ownerOf(person),
  );

/**
 * Types text into every form in one company. Checks that the text does not appear in the other company, and that it
 * reappears in the first company.
 */
async function formsOf(page: Page, ours: Person, theirs: Person): Promise<void> {
  const typed = new Map<string, string>();
  const drafts = async () => (await keptFor(page, ours)).filter(([key]) => key.includes(':draft:')).length;
  await eachForm(page, await addOneOfEach(ours.api), async (box, word) => {
    const before = await drafts();
    // A form that appears on two screens already contains the text.
    const isKnown = [...typed.values()].includes(await box.inputValue());
    // The browser stores no tax IDs.
    const isSecret = page.url().endsWith('boxes=1');
    await box.fill(word);
    await box.blur();
    typed.set(formOf(page), await box.inputValue());
    if (!isKnown && !isSecret) await expect.poll(drafts, { message: page.url() }).toBe(before + 1);
  });
  expect(await drafts()).toBeGreaterThan(20);
  await page.goto('/');
  await holds(await companyName(page), MARK);
  await leave(page);

  await signInAs(page, theirs);
  await holds(await companyName(page), 'Forms Theirs');
  await eachForm(page, await addOneOfEach(theirs.api), async (box) => {
    expect([formOf(page), await box.inputValue()]).not.toEqual([formOf(page), typed.get(formOf(page))]);
    expect([page.url(), await page.getByText(MARK).count()]).toEqual([page.url(), 0]);
  });
  expect(await keptBeside(page, [ours, theirs])).toEqual(['user']);
  const [kept, others] = [await keptFor(page, ours), await keptFor(page, theirs)];
  expect([JSON.stringify(kept).includes(MARK), JSON.stringify(others).includes(MARK)]).toEqual([true, false]);
  await leave(page);

  await signInAs(page, ours);
  await holds(await companyName(page), MARK);
}

/**
 * Checks that entered text and loaded data are kept when accepting the terms replaces the token. The page shows Company
 * Info.
 */
async function newToken({ url, health }: Stage, page: Page, { session }: Person): Promise<void> {
  const dialog = page.getByRole('dialog');
  await field(dialog, 'Company Name').fill('Typed before the terms');
  const second = await anotherTab(page, '/');
  // A read with the replaced token is rejected, but does not end the session.
  health.allow(/401/);
  const api = new Api(url, (await sessionOf(page)).token);
  const token = await api.call(authCalls.updateUserTerms, { body: { termsAccepted: true } });
  await signedInElsewhere(second, { ...session, token });
  await holds(field(dialog, 'Company Name'), 'Typed before the terms');
  await field(dialog, 'Email').fill('office@terms.example');
  await button(dialog, 'Save').click();
  await seen(button(dialog, 'Edit'));
  await page.keyboard.press('Escape');
  await gone(dialog);
  await seen(page.getByText('Typed before the terms').first());
  await seen(page.getByText('office@terms.example'));
}

// Promise (access): A company's data never appears in another session in the same browser, or in another company that
// the same user belongs to. [26 forms]
journey(
  'a form’s unsaved values never appear in another company and are restored in their own company',
  async (stage) => {
    const [ours, theirs] = [await stage.company('Forms Ours'), await stage.company('Forms Theirs')];
    await Promise.all([ours.addCard(), theirs.addCard()]);
    const page = await stage.open('/', { as: ours.administrator });
    await formsOf(page, ours.administrator, theirs.administrator);
    await newToken(stage, page, ours.administrator);
  },
);

/** The customer list, including any of its pages. */
const CUSTOMERS = /\/api\/customer(\?|$)/;

/**
 * Delays the list of customers. `asked` resolves when the page requests the list, and `release` lets the response
 * through.
 */
async function holdCustomers(page: Page) {
  let [asked, release] = [(): void => undefined, (): void => undefined];
  const wanted = new Promise<void>((done) => (asked = done));
  const released = new Promise<void>((done) => (release = done));
  await page.route(CUSTOMERS, async (route) => {
    asked();
    await released;
    await route.fallback();
  });
  return { asked: wanted, release: () => release() };
}

const ONLY = { ours: 'Only With Ours', theirs: 'Only With Theirs' } as const;

/** Two tabs in one browser, in which users from two companies sign in one after the other. */
type Tabs = readonly [first: Page, second: Page];

/**
 * Checks that both tabs start with the dashboard and never show another company's customers, even before the list has
 * loaded.
 */
async function finds(tabs: Tabs, whose: keyof typeof ONLY, after: string): Promise<void> {
  const [own, foreign] = whose === 'ours' ? [ONLY.ours, ONLY.theirs] : [ONLY.theirs, ONLY.ours];
  for (const tab of tabs) {
    await seen(new Frame(tab).title('Dashboard'));
    expect([after, new URL(tab.url()).pathname]).toEqual([after, '/']);
    const others = async () => [after, await new Customers(tab).row(foreign).count()];
    expect(await others()).toEqual([after, 0]);
    const list = await holdCustomers(tab);
    await new Frame(tab).go('Customers');
    await list.asked;
    expect(await others()).toEqual([after, 0]);
    list.release();
    await seen(new Customers(tab).row(own));
    expect(await others()).toEqual([after, 0]);
  }
  await searches(tabs[0], { own, foreign, after });
}

/**
 * Checks that the search shows neither another user's recent records nor another company's. Each selection is stored
 * for its own user.
 */
async function searches(tab: Page, { own, foreign, after }: { own: string; foreign: string; after: string }) {
  const search = new Search(tab);
  await search.open();
  const rows = async () => [after, await search.rows(foreign).count()];
  await seen(search.rows(/./));
  expect(await rows()).toEqual([after, 0]);
  await search.text.fill('only with');
  await seen(search.rows(own));
  await search.answered();
  expect(await rows()).toEqual([after, 0]);
  await tab.keyboard.press('Enter');
  await seen(tab.getByRole('heading', { level: 2, name: own }));
}

/**
 * Opens another screen with an expired session. The session must end in both tabs, and the tab that noticed the
 * expiration must show the reason.
 */
async function ends([first, second]: Tabs): Promise<void> {
  // A read in this tab may be the first to find that the session has ended. In this case, the link is gone, and the
  // notice appears without a click.
  const opening = new Frame(second).menu.getByRole('link', { name: 'Products' }).click({ timeout: 10_000 });
  await opening.catch(() => undefined);
  for (const tab of [second, first]) await seen(new SignIn(tab).heading);
  // A read in the first tab may have been the first to find that the session has ended, and may have notified the
  // second tab.
  const said = [second, first].map((tab) => seen(new SignIn(tab).notice('Your session has expired. Sign in again.')));
  await Promise.any(said);
}

/**
 * Checks that a response is dropped if its request was made before another user signed in. The first tab has not loaded
 * the list yet.
 */
async function lateAnswer([first, second]: Tabs, ours: Person, theirs: Person): Promise<void> {
  const held: (() => void)[] = [];
  await first.route(CUSTOMERS, async (route) => {
    const isOurs = (await route.request().headerValue('authorization')) === `Bearer ${ours.session.token}`;
    if (!isOurs) return route.fallback();
    const answer = await route.fetch();
    await new Promise<void>((done) => held.push(done));
    return route.fulfill({ response: answer }).catch(() => undefined);
  });
  await new Frame(first).go('Customers');
  await expect.poll(() => held.length, { message: 'the list is requested' }).toBe(1);
  await signedInElsewhere(second, theirs.session);
  await seen(new Frame(first).title('Dashboard'));
  for (const release of held) release();
  // A tab is notified only of entries that other tabs have stored.
  await second.goto('/');
}

/** Checks that a password reset link, opened in the same browser, ends the session in every tab. */
async function resetBeside(stage: Stage, [first, second]: Tabs, email: string): Promise<void> {
  await new Api(stage.url).call(authCalls.forgotPassword, { body: { Email: email } });
  await second.goto(await mailedLink(stage, email));
  await field(second, 'Password').fill('another good one');
  await field(second, 'Confirm Password').fill('another good one');
  await button(second, 'Reset Password').click();
  await seen(second.getByText('Password reset successful, you can now login'));
  await seen(new SignIn(first).heading);
  expect(await second.evaluate(() => localStorage.getItem('user'))).toBeNull();
}

/**
 * Checks that registering by invitation with this email address, in the same browser, ends the session in every tab.
 */
async function registerBeside(stage: Stage, [first, second]: Tabs, email: string): Promise<void> {
  await second.goto(await mailedLink(stage, email));
  const registration = new Registration(second);
  await registration.type({ firstName: 'Ruth', lastName: 'Reader', password: PASSWORD });
  await registration.submit();
  await seen(second.getByText('Registration successful, you can now login'));
  await seen(new SignIn(first).heading);
}

journey(
  'the next user finds no data from the previous session in any tab, however that session ended',
  async (stage) => {
    const company = await stage.company('Next Ours');
    const others = await stage.company('Next Theirs');
    const [ours, theirs] = [company.administrator, others.administrator];
    await others.mailInvitation('Superuser', { firstName: 'Ada', lastName: 'Admin', email: ours.email });
    await ours.api.call(authCalls.acceptInvitation, { params: { companyId: theirs.session.companyId } });
    await addCustomer(ours.api, ONLY.ours);
    await addCustomer(theirs.api, ONLY.theirs);
    const ruth = `ruth.${ours.email}`;
    await company.mailInvitation('Read Only', { firstName: 'Ruth', lastName: 'Reader', email: ruth });
    const first = await stage.open('/products', { as: ours });
    await seen(new Frame(first).title('Products'));
    const second = await anotherTab(first, '/');
    await seen(new Frame(second).title('Dashboard'));
    const tabs: Tabs = [first, second];

    await lateAnswer(tabs, ours, theirs);
    await finds(tabs, 'theirs', 'a late answer');

    await new Frame(second).logout();
    await seen(new SignIn(first).heading);
    await signInAs(second, ours);
    await finds(tabs, 'ours', 'a sign-out');

    await resetBeside(stage, tabs, theirs.email);
    const renewed = { email: theirs.email, password: 'another good one' };
    await signInAs(second, renewed);
    await finds(tabs, 'theirs', 'a reset link');

    await registerBeside(stage, tabs, ruth);
    await signInAs(second, { email: ruth });
    await finds(tabs, 'ours', 'an invitation');

    stage.health.allow(/ 401/);
    await expireSessions(stage, (await sessionOf(second)).id);
    await ends(tabs);
    await signInAs(second, renewed);
    await finds(tabs, 'theirs', 'a session that rested too long');

    await new Api(stage.url, (await sessionOf(second)).token).call(authCalls.logout, { query: {} });
    await ends(tabs);
    await signInAs(second, ours);
    await finds(tabs, 'ours', 'a session that was ended elsewhere');

    // The first tab has a form in its company open, and leaves the form for the other company's dashboard.
    await first.goto('/customers?edit=0');
    await seen(first.getByRole('dialog'));
    await new Frame(second).switchTo('Next Theirs');
    await finds(tabs, 'theirs', 'a switch to another company');
  },
);
