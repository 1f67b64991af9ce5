import { journey } from './journey.ts';
import { checkLook, gone, seen } from './look.ts';
import { button, field, pick } from './pages/fields.ts';

journey('an individual in Canada with two phones is kept word for word; a vendor beside', async (stage) => {
  const { administrator } = await stage.company('Two Phones');
  const page = await stage.open('/customers?edit=0', { as: administrator });
  const dialog = page.getByRole('dialog');
  const tab = (name: string) => dialog.getByRole('tab', { name }).click();
  await dialog.getByText('Individual', { exact: true }).click();
  await button(dialog, 'Save').click();
  await seen(dialog.getByText('Please enter a First name'));
  await seen(dialog.getByText('Please enter a valid email address'));
  await field(dialog, 'First Name').fill('Inès');
  await field(dialog, 'Last Name').fill('O’Brien');
  await field(dialog, 'Email').fill('ines@obrien.example');
  for (const [at, number, label] of [
    [0, '(902) 555-0101', 'Mobile'],
    [1, '(902) 555-0102', 'Office'],
  ] as const) {
    await button(dialog, 'Add Phone').click();
    await field(dialog, 'Phone').nth(at).fill(number);
    await field(dialog, 'Label').nth(at).fill(label);
  }
  await dialog.getByRole('radio', { name: 'Primary' }).nth(1).check();
  await tab('Addresses');
  const mailing = dialog.getByRole('region', { name: 'Mailing Address' });
  await pick(mailing, 'Country', 'Canada');
  await pick(mailing, 'Province', 'Nova Scotia');
  await field(mailing, 'City').fill('Halifax');
  await field(mailing, 'Postal Code').fill('B3H 1A1');
  await checkLook(page, 'address in Canada');
  await button(dialog, 'Save').click();
  await seen(button(dialog, 'Edit'));

  await page.reload();
  await seen(dialog.getByText('(902) 555-0101 (Mobile)'));
  await seen(dialog.getByText('(902) 555-0102 (Office, primary)'));
  await tab('Addresses');
  await seen(dialog.getByText('Halifax, NS B3H 1A1'));
  await seen(dialog.getByText('Canada'));
  await button(dialog, 'Close').click();
  await gone(dialog);
  await seen(page.getByRole('link', { name: 'Inès O’Brien' }));

  await page.goto('/vendors?edit=0');
  await field(dialog, 'Vendor Name').fill('Quarry Supply');
  await field(dialog, 'Email').fill('orders@quarry.example');
  await field(dialog, 'DBA').fill('The Quarry');
  await checkLook(page, 'new vendor');
  await button(dialog, 'Save').click();
  await button(dialog, 'Close').click();
  await seen(page.getByRole('row').filter({ hasText: 'Quarry Supply' }).getByText('The Quarry'));
  await checkLook(page, 'vendors');
});
