import { bankingCalls } from '@evenkeel/contract/banking';
import { catalogueCalls } from '@evenkeel/contract/catalogue';
import { movingCalls } from '@evenkeel/contract/moving';
import { settingsCalls } from '@evenkeel/contract/settings';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { confirmAll, type Mover, openMover, tablesOf } from './testing/moving.ts';

let t: TestApp;
let mover: Mover;
beforeAll(async () => {
  t = await startTestApp();
  mover = openMover(t);
});
afterAll(async () => {
  await mover.close();
  await t.close();
});

/** Two products, two tax codes (one with a rate of 0%), two payment types, and customers with three different terms. */
const LINES = [
  '!ACCNT\tNAME\tACCNTTYPE\tEXTRA',
  'ACCNT\tChecking\tBANK\t',
  'ACCNT\tRepair Labor\tINC\t',
  'ACCNT\tSales Tax Payable\tOCLIAB\tSALESTAX',
  '!INVITEM\tNAME\tINVITEMTYPE\tDESC\tACCNT\tPRICE\tTAXABLE\tTAXVEND',
  'INVITEM\tTune-up\tSERV\tTune-up\tRepair Labor\t85\tN\t',
  'INVITEM\tWheel truing\tSERV\tWheel truing\tRepair Labor\t30\tN\t',
  'INVITEM\tCuyahoga County\tCOMPTAX\t\tSales Tax Payable\t8.0%\t\tOhio',
  'INVITEM\tOut of State\tCOMPTAX\t\tSales Tax Payable\t0.0%\t\t',
  '!PAYMETH\tNAME\tHIDDEN',
  'PAYMETH\tcheck\tN',
  'PAYMETH\tGift Voucher\tN',
  '!CUST\tNAME\tTERMS\tTAXITEM',
  'CUST\tAnn & Co\tNet 21\tCuyahoga County',
  'CUST\tBea Ltd\tAfter harvest\tOut of State',
  '!TRNS\tTRNSTYPE\tDATE\tACCNT\tNAME\tAMOUNT',
  '!SPL\tTRNSTYPE\tDATE\tACCNT\tNAME\tAMOUNT',
  '!ENDTRNS',
  'TRNS\tDEPOSIT\t11/23/2025\tChecking\t\t50.00',
  'SPL\tDEPOSIT\t11/23/2025\tRepair Labor\t\t-50.00',
  'ENDTRNS',
];
const FILES = [{ name: 'Lists.iif', bytes: new TextEncoder().encode(`${LINES.join('\r\n')}\r\n`) }];

test('sales tax codes, payment types, terms, and products are converted as the user chose', async () => {
  const home = await t.createCompany();
  const { token } = home.administrator;
  const before = await tablesOf(t, home.companyId);
  const read = await confirmAll(t, token, await mover.draft(token, FILES, 'QuickBooks Desktop'));
  const shown = read.lists.map(({ kind, items }) => [kind, items.map(({ name, value }) => [name, value])]);
  const check = (await t.call(bankingCalls.listPaymentTypes, { token, query: {} })).find(
    ({ displayName }) => displayName === 'Check',
  );
  expect(shown).toEqual([
    [
      'tax',
      [
        ['Cuyahoga County', 'create'],
        ['Out of State', ''],
      ],
    ],
    [
      'paymentType',
      [
        ['check', String(check?.id)],
        ['Gift Voucher', 'create'],
      ],
    ],
    [
      'terms',
      [
        ['Net 21', '21'],
        ['After harvest', 'skip'],
      ],
    ],
    [
      'product',
      [
        ['Tune-up', 'create'],
        ['Wheel truing', 'create'],
      ],
    ],
  ]);
  // Exempt and non-taxable sales are reported differently on a return, so the user must decide what a rate of 0% means.
  expect(read.blocked.match).toBe('Answer 1 question to continue');
  const params = { id: read.id };
  const decide = (rowVersion: number, key: string, value: string) =>
    t.call(movingCalls.updateMove, { token, params, body: { rowVersion, lists: [{ key, value }] } });
  const unknown = { rowVersion: read.rowVersion, lists: [{ key: 'terms after harvest', value: '77' }] };
  expect(await t.refused(movingCalls.updateMove, { token, params, body: unknown })).toMatchObject({ status: 422 });
  let move = await decide(read.rowVersion, 'tax out of state', 'skip');
  move = await decide(move.rowVersion, 'terms after harvest', '90');
  move = await decide(move.rowVersion, 'product wheel truing', 'skip');
  expect(move.blocked.match).toBe('');
  const imported = await mover.run(token, move.id, 'import');
  expect(imported).toMatchObject({ error: null, status: 'imported' });
  expect(imported.report).toMatchObject({ rejected: [], counts: { products: 1 } });
  const taxes = await t.call(settingsCalls.listSalesTax, { token });
  const county = taxes.find(({ name }) => name === 'Cuyahoga County');
  expect(county?.salesTaxItems).toMatchObject([{ displayValue: '8.00%', label: 'Cuyahoga County' }]);
  const customers = await t.inCompany(home.companyId, (tx) =>
    tx.rows(sql`
      select displayname as name, terms_days as days, sales_tax_scenario_id as "taxId" from entity
      where company_id = ${home.companyId} and displayname in ('Ann & Co', 'Bea Ltd') order by 1`),
  );
  expect(customers).toEqual([
    { name: 'Ann & Co', days: 21, taxId: county?.id },
    { name: 'Bea Ltd', days: 90, taxId: null },
  ]);
  const types = await t.call(bankingCalls.listPaymentTypes, { token, query: {} });
  expect(types.map(({ displayName }) => displayName)).toContain('Gift Voucher');
  const products = await t.call(catalogueCalls.listProducts, { token, query: {} });
  expect(JSON.stringify(products)).toContain('Tune-up');
  expect(JSON.stringify(products)).not.toContain('Wheel truing');
  expect(await mover.undo(token, imported.id)).toMatchObject({ error: null, status: 'undone' });
  expect(await tablesOf(t, home.companyId)).toEqual(before);
});
