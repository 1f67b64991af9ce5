import { billingCalls } from '@evenkeel/contract/billing';
import { authCalls } from '@evenkeel/contract/auth';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { addCustomer, addInvoice, invoicesOf } from './books.ts';
import { PASSWORD, type Person, roleNamed } from './company.ts';
import { journey, type Stage } from './journey.ts';
import { checkLook, gone, holds, says, seen } from './look.ts';
import { Billing, type BillingEntry } from './pages/Billing.ts';
import { button, field, picker } from './pages/fields.ts';
import { Frame } from './pages/Frame.ts';
import { SignIn } from './pages/SignIn.ts';

const LOST = 'The connection was lost. Your changes are still here. Try again.';

/** Enters a new invoice for 2 × 75.50 for a customer without saving it. */
async function typed(page: Page, customer: string): Promise<BillingEntry> {
  const entry = await new Billing(page).add();
  await entry.customer(customer);
  await entry.line({ description: 'Two hours of pruning', account: 'Income', price: '75.50', quantity: '2' });
  await says(entry.total('Total'), '$151.00');
  return entry;
}

// Promise (browser): A save over an unreliable connection neither loses nor duplicates anything, and the user sees the
// result. [1 invoice]
journey(
  'an invoice is saved once, even if the connection drops before or after the server receives the request',
  async (stage) => {
    const { administrator } = await stage.company('Dropping Lines');
    const customerId = await addCustomer(administrator.api, 'Quarry House');
    const page = await stage.open('/billing', { as: administrator });
    stage.health.allow(/api\/billinginvoice/, /ERR_INTERNET_DISCONNECTED/);
    const entry = await typed(page, 'Quarry House');

    await page.context().setOffline(true);
    await entry.save();
    await seen(entry.dialog.getByText(LOST));
    await page.context().setOffline(false);

    const keys: (string | undefined)[] = [];
    await page.route('**/api/billinginvoice', async (route) => {
      if (route.request().method() !== 'POST') return route.fallback();
      keys.push(route.request().headers()['idempotency-key']);
      if (keys.length === 1) return route.abort('connectionreset');
      // The server has saved the invoice, and its response is lost.
      if (keys.length === 2) await route.fetch();
      return keys.length === 2 ? route.abort('connectionreset') : route.fallback();
    });
    for (const tries of [1, 2]) {
      await entry.save();
      await expect.poll(() => keys.length).toBe(tries);
      await seen(entry.dialog.getByText(LOST));
      await seen(new Frame(page).alert(LOST));
      await says(entry.total('Total'), '$151.00');
      await holds(picker(entry.dialog, 'Customer'), 'Quarry House');
    }
    await checkLook(page, 'billing entry after a lost connection');
    await entry.save();
    await gone(entry.dialog);
    expect(keys).toHaveLength(3);
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
    expect(new Set(keys).size).toBe(1);
    expect(await invoicesOf(administrator.api, customerId)).toHaveLength(1);
    await says(new Billing(page).row('Quarry House').getByRole('cell').last(), '151.00');
  },
);

/** Signs in again after the message `sentence`, and finds the invoice that was entered. */
async function returns(page: Page, email: string, sentence: string): Promise<void> {
  const signIn = new SignIn(page);
  await seen(signIn.notice(sentence));
  await signIn.enter(email, PASSWORD);
  await seen(new Frame(page).title('Billing'));
  // The URL still contains the open form.
  const entry = new Billing(page).entry();
  await says(entry.total('Total'), '$151.00');
  await holds(picker(entry.dialog, 'Customer'), 'Weir Cottage');
  await seen(entry.dialog.getByText('Two hours of pruning'));
  await entry.save();
  await gone(entry.dialog);
  await seen(new Billing(page).row('Weir Cottage'));
}

journey(
  'an expired session and changed permissions sign the user out with a message and keep the entered values',
  async (stage) => {
    const company = await stage.company('Ended Sessions');
    const { api } = company.administrator;
    const customerId = await addCustomer(api, 'Weir Cottage');
    const bookkeeper = await company.invite('Bookkeeper');
    const page = await stage.open('/billing', { as: bookkeeper });
    stage.health.allow(/ 401/);
    const entry = await typed(page, 'Weir Cottage');
    await bookkeeper.api.call(authCalls.logout, { query: {} });
    await entry.save();
    await returns(page, bookkeeper.email, 'Your session has expired. Sign in again.');

    stage.health.allow(/ 403/);
    await typed(page, 'Weir Cottage');
    const user = await api.call(authCalls.getUser, { params: { id: bookkeeper.session.id } });
    const readOnly = await roleNamed(api, 'Read Only');
    const lowered = await api.call(authCalls.updateUser, { body: { ...user, roleId: readOnly } });
    await entry.save();
    await seen(new SignIn(page).notice('Your permissions have changed. Sign in again.'));
    await api.call(authCalls.updateUser, { body: { ...lowered, roleId: user.roleId } });
    await returns(page, bookkeeper.email, 'Your permissions have changed. Sign in again.');
    // Each part saves a separate invoice, so that the rows can't be mistaken for one another.
    expect(await invoicesOf(api, customerId)).toHaveLength(2);
  },
);

interface Place {
  person: Person;
  number: string;
}

async function opened(stage: Stage, { person, number }: Place) {
  const page = await stage.open('/billing', { as: person });
  return { page, entry: await new Billing(page).edit(number) };
}

/** Checks that a user with only View permissions sees no edit buttons and causes no rejected calls. */
async function reads(stage: Stage, { person, number: invoiceNumber }: Place): Promise<void> {
  const page = await stage.open('/billing', { as: person });
  const billing = new Billing(page);
  await billing.row(invoiceNumber).getByRole('link', { name: invoiceNumber }).click();
  await seen(billing.panel(`Invoice ${invoiceNumber}`));
  const changing = page.getByRole('button', { name: /^(Add|Post|Delete|Save|Edit|Open Billing)/ });
  expect(await changing.allInnerTexts()).toEqual([]);
  const frame = new Frame(page);
  for (const screen of ['Customers', 'Products', 'Accounting', 'Reports']) {
    await frame.go(screen);
    expect([screen, await changing.allInnerTexts()]).toEqual([screen, []]);
  }
}

// Promise (together): If two users edit the same invoice, the second one chooses which version to keep.
journey('a viewer sees no edit actions, and the second of two editors chooses which version to keep', async (stage) => {
  const company = await stage.company('Two Desks');
  const { administrator } = company;
  const customerId = await addCustomer(administrator.api, 'Mill Lane');
  const { id, invoiceNumber } = await addInvoice(administrator.api, { customerId, amount: '80.00' });
  await reads(stage, { person: await company.invite('Read Only'), number: invoiceNumber });
  stage.health.allow(/api\/billinginvoice/);
  const place = { person: administrator, number: invoiceNumber };
  const [first, second, third] = await Promise.all([opened(stage, place), opened(stage, place), opened(stage, place)]);
  const prices = [
    [first, '90.00'],
    [second, '95.00'],
    [third, '99.00'],
  ] as const;
  for (const [{ entry }, price] of prices) {
    await entry.dialog.getByRole('row').filter({ hasText: 'Work' }).click();
    await field(entry.work, 'Price').fill(price);
    await button(entry.dialog, 'Commit').click();
    await says(entry.total('Total'), `$${price}`);
  }
  await first.entry.save();
  await gone(first.entry.dialog);

  await second.entry.save();
  await seen(second.entry.dialog.getByText('Someone else saved changes to this record.'));
  await checkLook(second.page, 'stale choice');
  await button(second.entry.dialog, 'Keep My Changes').click();
  await gone(second.entry.dialog);

  await third.entry.save();
  await button(third.entry.dialog, 'Load Their Changes').click();
  await says(third.entry.total('Total'), '$95.00');
  const now = await administrator.api.call(billingCalls.getInvoice, { params: { id } });
  expect(now.invoiceAmount).toBe(9500);
});
