import { ledgerCalls } from '@evenkeel/contract/ledger';
import { settingsCalls } from '@evenkeel/contract/settings';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { addCustomer, addInvoice, daysAgo } from './books.ts';
import type { Person } from './company.ts';
import { journey, type Stage } from './journey.ts';
import { seen } from './look.ts';
import { openPlaces, SCREENS } from './places.ts';
import { settled } from './settled.ts';
import { shifts } from './shifts.ts';

/** Long enough for a page to be drawn before its answers come, as it is over a slow network. */
const ANSWERS_AFTER_MS = 300;

type Size = 'desk' | 'tablet' | 'phone';

/** At these widths each page in turn, with answers that take their time; says what shifts by more than 0.02. */
async function shiftsOf(
  stage: Stage,
  as: Person,
  places: readonly (readonly [string, (page: Page) => Promise<void>])[],
  looks: readonly Size[] = ['desk', 'phone'],
) {
  const found: string[] = [];
  const look = async (size: Size): Promise<void> => {
    const page = await stage.open('about:blank', { as, size });
    await page.route('**/api/**', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, ANSWERS_AFTER_MS));
      await route.continue();
    });
    for (const [path, arrived] of places) {
      await page.goto(path, { waitUntil: 'networkidle' });
      await arrived(page);
      await settled(page);
      const { sum, moved } = await shifts(page);
      console.log(`layout shift: ${path} ${size}: ${sum.toFixed(4)}`);
      if (sum > 0.02) found.push(`${path} ${size}: ${moved.join('; ')}`);
    }
  };
  // Side by side, since both mostly wait; each in a browser profile of its own.
  await Promise.all(looks.map(look));
  return found;
}

journey('no screen shifts by more than 0.02 while it loads, at 1440 and 390 px', async (stage) => {
  const { administrator } = await stage.company('Steady Ground');
  const customerId = await addCustomer(administrator.api, 'Oak Hollow');
  await addInvoice(administrator.api, { customerId, amount: '360.00' });
  await addInvoice(administrator.api, { customerId, amount: '99.99', date: daysAgo(60) });
  const heading = (name: string) => (page: Page) => seen(page.getByRole('heading', { level: 1, name, exact: true }));
  // The first one again, as this device knows it: its cards stand there before their figures.
  const places = [...SCREENS, ...SCREENS.slice(0, 1)].map(([path, name]) => [path, heading(name)] as const);
  expect(await shiftsOf(stage, administrator, places)).toEqual([]);
});

journey('no panel and no dialog shifts by more than 0.02 while its data comes, at 1440 and 390 px', async (stage) => {
  const { administrator } = await stage.company('Steady Dialogs');
  const { panels, dialogs } = await openPlaces(administrator.api);
  const panel = (page: Page) => seen(page.getByRole('complementary'));
  const dialog = (page: Page) => seen(page.getByRole('dialog'));
  const places = [...panels.map((path) => [path, panel] as const), ...dialogs.map((path) => [path, dialog] as const)];
  expect(await shiftsOf(stage, administrator, places)).toEqual([]);
});

// Promise (browser): No screen, panel or report shifts by more than 0.02 while it loads. [0.31 before]
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
  expect(await shiftsOf(stage, administrator, places, ['desk', 'tablet', 'phone'])).toEqual([]);
});
