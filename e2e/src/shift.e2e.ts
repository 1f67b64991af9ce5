import { ledgerCalls } from '@evenkeel/contract/ledger';
import { settingsCalls } from '@evenkeel/contract/settings';
import { expect } from 'vitest';
import { addCustomer, addInvoice, daysAgo } from './books.ts';
import { load } from './cold.ts';
import { tooSmall } from './touchTargets.ts';
import { journey } from './journey.ts';
import { seen } from './look.ts';
import { shifts } from './shifts.ts';
import { MOST_SHIFT, slowPage } from './walk.ts';

// Promise (browser): No screen, panel, or report shifts by more than 0.02 while it loads. [0.31 before]
journey('no report with profit centers and locations shifts by more than 0.02 on its first load', async (stage) => {
  const { administrator } = await stage.company('Steady Cold Reports');
  const { api } = administrator;
  const customerId = await addCustomer(api, 'Oak Hollow');
  for (const days of [1, 9, 40]) await addInvoice(api, { customerId, amount: '360.00', date: daysAgo(days) });
  await api.call(ledgerCalls.createProfitCenter, { body: { profitcenterid: 0, profitcentername: 'North' } });
  await api.call(ledgerCalls.createLocation, { body: { locationId: 0, locationName: 'Barn' } });
  for (const settingName of ['useProfitCenters', 'useLocations']) {
    await api.call(settingsCalls.saveSettings, { body: { settingName, settingValue: 'true' } });
  }
  const asked = (id: number) => `/reports?report=${id}_8_${daysAgo(300)}_${daysAgo(0)}_0_0_0`;
  const reports = [asked(101), `${asked(1)}&figure=1+Total+Income`, `${asked(1)}_month`];
  const found: string[] = [];
  const go = async (size: 'desk' | 'tablet' | 'phone'): Promise<void> => {
    const page = await slowPage(stage, administrator, size);
    for (const address of reports) {
      await load(page, address, () => seen(page.locator('article[aria-busy="false"]')));
      const { sum, moved } = await shifts(page);
      if (sum > MOST_SHIFT) found.push(`${address} ${size}: ${moved.join('; ')}`);
      if (size === 'phone') found.push(...(await tooSmall(page)).map((each) => `${address}: ${each}`));
    }
  };
  await Promise.all([go('desk'), go('tablet'), go('phone')]);
  expect(found).toEqual([]);
});
