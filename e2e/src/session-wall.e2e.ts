import { authCalls } from '@evenkeel/contract/auth';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { addCustomer } from './books.ts';
import { PASSWORD, type Person } from './company.ts';
import { journey } from './journey.ts';
import { gone, holds, seen } from './look.ts';
import { button, field } from './pages/fields.ts';
import { Customers } from './pages/Customers.ts';
import { Frame } from './pages/Frame.ts';
import { SignIn } from './pages/SignIn.ts';

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
  // What a tab asked for with the token that has just been replaced is refused, and ends no session.
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
