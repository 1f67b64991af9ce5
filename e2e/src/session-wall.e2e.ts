import { authCalls } from '@evenkeel/contract/auth';
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
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
import { SignIn } from './pages/SignIn.ts';
import { newForms } from './places.ts';
import { expireSessions } from './sessions.ts';
import { visit } from './visit.ts';

/** Opens Company Info for editing and answers its name field. */
async function companyName(page: Page) {
  await new Frame(page).go('Settings');
  await button(page, 'Edit Company Info').click();
  return field(page.getByRole('dialog'), 'Company Name');
}

async function signInAs(page: Page, person: Person): Promise<void> {
  const signIn = new SignIn(page);
  await seen(signIn.heading);
  await signIn.enter(person.email, PASSWORD);
  await seen(new Frame(page).title('Dashboard'));
}

/** Another tab of the same browser. */
async function anotherTab(page: Page, path: string): Promise<Page> {
  const tab = await page.context().newPage();
  await tab.goto(path);
  return tab;
}

/** A sign-in elsewhere in this browser, without a sign-out before it. */
const signedInElsewhere = (page: Page, person: Person): Promise<void> =>
  page.evaluate((text) => localStorage.setItem('user', text), JSON.stringify(person.session));

/** The list of customers, by whatever page of it is asked for. */
const CUSTOMERS = /\/api\/customer(\?|$)/;

/** Keeps the list of customers back: `asked` is once the page wants it, and it comes after `release`. */
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

journey('what was typed in one company is not in the form of another, and comes back to its own', async (stage) => {
  const ours = (await stage.company('Harbour Ours')).administrator;
  const theirs = (await stage.company('Theirs Unlike')).administrator;
  const page = await stage.open('/', { as: ours });
  await (await companyName(page)).fill('Typed in Harbour Ours');
  await page.goto('/');
  await holds(await companyName(page), 'Typed in Harbour Ours');
  await page.goto('/');
  await new Frame(page).logout();

  await signInAs(page, theirs);
  await holds(await companyName(page), 'Theirs Unlike');
  await page.goto('/');
  await new Frame(page).logout();

  await signInAs(page, ours);
  await holds(await companyName(page), 'Typed in Harbour Ours');
});

journey('signing out and in as another in one tab turns every tab to the other company', async (stage) => {
  const ours = (await stage.company('Lists Ours')).administrator;
  const theirs = (await stage.company('Lists Theirs')).administrator;
  await addCustomer(ours.api, 'Only With Ours');
  await addCustomer(theirs.api, 'Only With Theirs');
  const first = await stage.open('/customers', { as: ours });
  await seen(new Customers(first).row('Only With Ours'));
  const second = await anotherTab(first, '/');
  await new Frame(second).logout();
  await seen(new SignIn(first).heading);
  await signInAs(second, theirs);

  // Before the list of the new company has come, nothing of the old one shows; nor is its address kept.
  await seen(new Frame(first).title('Dashboard'));
  expect(new URL(first.url()).pathname).toBe('/');
  const list = await holdCustomers(first);
  await new Frame(first).go('Customers');
  await list.asked;
  expect(await new Customers(first).row('Only With Ours').count()).toBe(0);
  list.release();
  await seen(new Customers(first).row('Only With Theirs'));
  expect(await new Customers(first).row('Only With Ours').count()).toBe(0);
});

journey('a session that ended leaves nothing to the next one who signs in', async (stage) => {
  const ours = (await stage.company('Ended Ours')).administrator;
  const theirs = (await stage.company('Ended Theirs')).administrator;
  await addCustomer(ours.api, 'Only With Ours');
  const page = await stage.open('/customers', { as: ours });
  await seen(new Customers(page).row('Only With Ours'));
  stage.health.allow(/ 401/);
  await ours.api.call(authCalls.logout, {});
  await new Frame(page).menu.getByRole('link', { name: 'Products' }).click();
  await signInAs(page, theirs);
  const list = await holdCustomers(page);
  await new Frame(page).go('Customers');
  await list.asked;
  expect(await new Customers(page).row('Only With Ours').count()).toBe(0);
  list.release();
  await seen(page.getByText('No customers'));
  expect(await new Customers(page).row('Only With Ours').count()).toBe(0);
});

journey('an answer that was asked for before the sign-in of another is dropped', async (stage) => {
  const ours = (await stage.company('Late Ours')).administrator;
  const theirs = (await stage.company('Late Theirs')).administrator;
  await addCustomer(ours.api, 'Only With Ours');
  await addCustomer(theirs.api, 'Only With Theirs');
  const first = await stage.open('/products', { as: ours });
  await seen(new Frame(first).title('Products'));
  const held: (() => void)[] = [];
  await first.route(CUSTOMERS, async (route) => {
    const isOurs = (await route.request().headerValue('authorization')) === `Bearer ${ours.session.token}`;
    if (!isOurs) return route.fallback();
    const answer = await route.fetch();
    await new Promise<void>((done) => held.push(done));
    return route.fulfill({ response: answer }).catch(() => undefined);
  });
  await new Frame(first).go('Customers');
  await expect.poll(() => held.length).toBe(1);

  const second = await anotherTab(first, '/');
  await seen(new Frame(second).title('Dashboard'));
  await signedInElsewhere(second, theirs);
  await seen(new Frame(first).title('Dashboard'));
  for (const release of held) release();
  await new Frame(first).go('Customers');
  await seen(new Customers(first).row('Only With Theirs'));
  expect(await new Customers(first).row('Only With Ours').count()).toBe(0);
});

journey('the new token that accepted terms bring keeps what was typed and read', async (stage) => {
  const { administrator } = await stage.company('Terms Kept');
  const page = await stage.open('/', { as: administrator });
  await (await companyName(page)).fill('Typed before the terms');
  const second = await anotherTab(page, '/');
  // A read with the token that has just been replaced is refused, and ends no session.
  stage.health.allow(/401/);
  const token = await administrator.api.call(authCalls.updateUserTerms, { body: { termsAccepted: true } });
  await signedInElsewhere(second, { ...administrator, session: { ...administrator.session, token } });
  await holds(field(page.getByRole('dialog'), 'Company Name'), 'Typed before the terms');
  await field(page.getByRole('dialog'), 'Email').fill('office@terms.example');
  await button(page.getByRole('dialog'), 'Save').click();
  await seen(button(page.getByRole('dialog'), 'Edit'));
  await page.keyboard.press('Escape');
  await gone(page.getByRole('dialog'));
  await seen(page.getByText('Typed before the terms').first());
  await seen(page.getByText('office@terms.example'));
});

const MARK = 'Typed by Ours';

/** Opens each form of something new in turn, and answers its first box for words, a date or figures. */
async function eachForm(page: Page, saved: Saved, look: (box: Locator, word: string) => Promise<void>): Promise<void> {
  for (const { address } of newForms(saved)) {
    await visit(page, address);
    const dialog = page.getByRole('dialog').last();
    const firstOf = async () => (await boxesIn(dialog, MARK)).find(({ name }) => !name.startsWith('combobox'));
    // Code of a dialog may be fetched and not yet drawn.
    await expect.poll(firstOf, { message: address }).toBeDefined();
    const first = await firstOf();
    if (first === undefined) throw new Error(`${address} has no box to type into`);
    await look(dialog.locator(`[data-box="${first.mark}"]`), first.word);
  }
}

/** The form that is open, whatever record it is of. */
const formOf = (page: Page): string => new URL(page.url()).pathname + new URL(page.url()).search.replace(/\d+$/, '');

/** Entries that the browser keeps, beside the session and the theme; without the keys of these persons. */
const keptBeside = (page: Page, persons: readonly Person[]): Promise<string[]> =>
  page.evaluate(async (owners) => {
    const databases = (await indexedDB.databases()).map(({ name }) => `database ${name ?? ''}`);
    const workers = await navigator.serviceWorker.getRegistrations();
    const caches = 'caches' in globalThis ? await globalThis.caches.keys() : [];
    const local = Object.keys(localStorage).filter((key) => !owners.some((owner) => key.startsWith(owner)));
    return [...local, ...databases, ...caches, ...workers.map(({ scope }) => scope), document.cookie].filter(Boolean);
  }, persons.map(ownerOf));

/** The beginning of the keys for one person in one company. */
const ownerOf = ({ session }: Person): string => `${session.companyId}.${session.id}.${session.companySince ?? ''}:`;

/** Entries kept for one person in one company. */
const keptFor = (page: Page, person: Person): Promise<[string, string][]> =>
  page.evaluate(
    (owner) => Object.entries<string>(localStorage).filter(([key]) => key.startsWith(owner)),
    ownerOf(person),
  );

// Promise (access): Nothing typed or read in one company shows up in another session of the same browser. [26 forms]
journey('no form has what was typed into it in another company; nothing is kept without an owner', async (stage) => {
  const [ours, theirs] = [await stage.company('Forms Ours'), await stage.company('Forms Theirs')];
  const persons = [ours.administrator, theirs.administrator] as const;
  const page = await stage.open('/', { as: persons[0] });
  const typed = new Map<string, string>();
  const drafts = async () => (await keptFor(page, persons[0])).filter(([key]) => key.includes(':draft:')).length;
  await eachForm(page, await addOneOfEach(persons[0].api), async (box, word) => {
    const before = await drafts();
    // A form that stands on two screens has it already.
    const isKnown = [...typed.values()].includes(await box.inputValue());
    await box.fill(word);
    await box.blur();
    typed.set(formOf(page), await box.inputValue());
    if (!isKnown) await expect.poll(drafts, { message: page.url() }).toBe(before + 1);
  });
  expect(await drafts()).toBeGreaterThan(20);
  await page.goto('/');
  await new Frame(page).logout();
  await signInAs(page, persons[1]);
  await eachForm(page, await addOneOfEach(persons[1].api), async (box) => {
    expect([formOf(page), await box.inputValue()]).not.toEqual([formOf(page), typed.get(formOf(page))]);
    expect(await page.getByText(MARK).count()).toBe(0);
  });
  expect(await keptBeside(page, persons)).toEqual(['user']);
  const [kept, others] = [await keptFor(page, persons[0]), await keptFor(page, persons[1])];
  expect([JSON.stringify(kept).includes(MARK), JSON.stringify(others).includes(MARK)]).toEqual([true, false]);
});

/** Two companies with a customer each; the first one's list in two tabs. */
async function twoCompanies(stage: Stage, name: string) {
  const [ours, theirs] = [await stage.company(`${name} Ours`), await stage.company(`${name} Theirs`)];
  await addCustomer(ours.administrator.api, 'Only With Ours');
  await addCustomer(theirs.administrator.api, 'Only With Theirs');
  const first = await stage.open('/customers', { as: ours.administrator });
  await seen(new Customers(first).row('Only With Ours'));
  const second = await anotherTab(first, '/customers');
  await seen(new Customers(second).row('Only With Ours'));
  return { ours, theirs, tabs: [first, second] as const };
}

/** Nothing of the first company shows in the other one's session, before its list has come or after. */
async function sees(page: Page, own: string): Promise<void> {
  const ours = new Customers(page).row('Only With Ours');
  expect(await ours.count()).toBe(0);
  const list = await holdCustomers(page);
  await new Frame(page).go('Customers');
  await list.asked;
  expect(await ours.count()).toBe(0);
  list.release();
  await seen(new Customers(page).row(own));
  expect(await ours.count()).toBe(0);
}

journey('a reset link that another opens beside a session ends it in every tab', async (stage) => {
  const { theirs, tabs } = await twoCompanies(stage, 'Reset');
  const [first, second] = tabs;
  const { email } = theirs.administrator;
  await theirs.administrator.api.call(authCalls.forgotPassword, { body: { Email: email } });
  await second.goto(await mailedLink(stage, email));
  await field(second, 'Password').fill('another good one');
  await field(second, 'Confirm Password').fill('another good one');
  await button(second, 'Reset Password').click();
  await seen(second.getByText('Password reset successful, you can now login'));
  await seen(new SignIn(first).heading);
  expect(await second.evaluate(() => localStorage.getItem('user'))).toBeNull();
  await new SignIn(second).enter(email, 'another good one');
  for (const tab of [second, first]) {
    await seen(new Frame(tab).title('Dashboard'));
    await sees(tab, 'Only With Theirs');
  }
});

journey('who registers by an invitation beside a session comes to no books but the own ones', async (stage) => {
  const { theirs, tabs } = await twoCompanies(stage, 'Invited');
  const [first, second] = tabs;
  const { api } = theirs.administrator;
  const answer = await api.call(authCalls.listRoles, { query: {} });
  const roles = Array.isArray(answer) ? answer : answer.items;
  const roleId = roles.find((role) => role.roleName === 'Read Only')?.id;
  const email = `ruth.${theirs.administrator.email}`;
  await api.call(authCalls.createUser, { body: { firstName: 'Ruth', lastName: 'Reader', email, roleId } });
  await second.goto(await mailedLink(stage, email));
  const registration = new Registration(second);
  await registration.type({ firstName: 'Ruth', lastName: 'Reader', password: PASSWORD });
  await registration.submit();
  await seen(second.getByText('Registration successful, you can now login'));
  await seen(new SignIn(first).heading);
  await new SignIn(second).enter(email, PASSWORD);
  for (const tab of [second, first]) {
    await seen(new Frame(tab).title('Dashboard'));
    await sees(tab, 'Only With Theirs');
  }
});

journey('a session that has rested too long ends in every tab, and the next one finds nothing of it', async (stage) => {
  const { ours, theirs, tabs } = await twoCompanies(stage, 'Rested');
  const [first, second] = tabs;
  stage.health.allow(/ 401/);
  await expireSessions(stage, ours.administrator);
  await new Frame(second).menu.getByRole('link', { name: 'Products' }).click();
  await seen(new SignIn(second).notice('Your session has ended. Please sign in again.'));
  await seen(new SignIn(first).heading);
  await new SignIn(second).enter(theirs.administrator.email, PASSWORD);
  for (const tab of [second, first]) {
    await seen(new Frame(tab).title('Dashboard'));
    await sees(tab, 'Only With Theirs');
  }
});
