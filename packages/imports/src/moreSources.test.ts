import { strToU8 } from 'fflate';
import { describe, expect, it } from 'vitest';
import type { SourceBooks } from './books.ts';
import { read, recognize } from './read.ts';
import type { Choices } from './reader.ts';
import type { ImportFile } from './zip.ts';

const file = (name: string, text: string): ImportFile => ({ name, bytes: strToU8(text) });

function booksOf(one: ImportFile, choices: Choices = {}): SourceBooks {
  const { books } = read([one], choices);
  expect(books.refusals).toEqual([]);
  return books;
}

const refusalOf = (one: ImportFile): string | undefined => read([one]).books.refusals[0]?.text;

/** Returns the balance of each account. */
function balances({ transactions }: SourceBooks): Record<string, number> {
  const found: Record<string, number> = {};
  for (const { account, amount } of [...transactions].flatMap(({ lines }) => lines))
    found[account] = (found[account] ?? 0) + amount;
  return found;
}

describe('payment processors', () => {
  const STRIPE =
    'id,Type,Source,Amount,Fee,Net,Currency,Created (UTC),Available On (UTC),Description\n' +
    'txn_1,charge,ch_1,100.00,3.20,96.80,usd,2025-01-31 10:00,2025-02-02 00:00,Order 1\n' +
    'txn_2,refund,re_1,-20.00,0.00,-20.00,usd,2025-02-01 10:00,2025-02-02 00:00,\n' +
    'txn_3,payout,po_1,-76.80,0.00,-76.80,usd,2025-02-03 10:00,2025-02-03 00:00,STRIPE PAYOUT\n';

  it('Stripe rows post to a clearing account, with the fees posted separately', () => {
    const books = booksOf(file('balance.csv', STRIPE));
    expect(balances(books)).toEqual({ Stripe: 0, 'Stripe fees': 320, 'Stripe payouts': 7680, 'Stripe sales': -8000 });
    expect([...books.transactions].map(({ id, date }) => [id, date])).toEqual([
      ['txn_1', '2025-01-31'],
      ['txn_2', '2025-02-01'],
      ['txn_3', '2025-02-03'],
    ]);
    expect(refusalOf(file('b.csv', STRIPE.replace('3.20', '3.21')))).toMatch(
      /^b\.csv, row 2: The net amount is 96\.80/,
    );
    expect(refusalOf(file('b.csv', STRIPE.replace('96.80,usd', '96.80,eur')))).toMatch(
      /^b\.csv, row 2: The row is in eur\./,
    );
  });

  it('columns in cents are read as whole cents', () => {
    const text = STRIPE.replace('Amount,Fee,Net', 'amount_cents,fee_cents,net_cents').replaceAll(
      /(\d)\.(\d\d)/g,
      '$1$2',
    );
    expect(balances(booksOf(file('balance.csv', text)))).toMatchObject({ 'Stripe fees': 320, 'Stripe sales': -8000 });
  });

  const PAYPAL =
    'Date,Time,TimeZone,Name,Type,Status,Currency,Gross,Fee,Net,From Email Address,Transaction ID,Balance\n' +
    '02/03/2025,10:00:00,PST,,General Withdrawal,Completed,USD,-50.00,0.00,-50.00,,T3,46.50\n' +
    '01/31/2025,11:00:00,PST,Bob,Website Payment,Pending,USD,9.00,0.00,9.00,,T2,96.50\n' +
    '01/31/2025,10:00:00,PST,Ann,Website Payment,Completed,USD,100.00,-3.50,96.50,,T1,96.50\n';

  it('PayPal rows that are listed from newest to oldest are read, and their balances are checked', () => {
    expect(balances(booksOf(file('activity.csv', PAYPAL)))).toEqual({
      PayPal: 4650,
      'PayPal fees': 350,
      'PayPal sales': -10_000,
      'PayPal transfers': 5000,
    });
    expect(refusalOf(file('a.csv', PAYPAL.replace('46.50', '46.51')))).toMatch(/^a\.csv, row 2: The balance is 46\.51/);
  });

  it('Square rows keep sales, tax, tips, and fees separate', () => {
    const text =
      'Date,Time,Gross Sales,Discounts,Net Sales,Tax,Tip,Total Collected,Fees,Net Total,Transaction ID,Description\n' +
      '1/31/2025,10:00,$100.00,-$10.00,$90.00,$7.20,$5.00,$102.20,-$2.96,$99.24,T1,Pump\n';
    expect(balances(booksOf(file('square.csv', text)))).toEqual({
      Square: 9924,
      'Square fees': 296,
      'Square sales': -9000,
      'Square tax': -720,
      'Square tips': -500,
    });
  });
});

describe('spreadsheets', () => {
  it.each([
    ['Customers', 'Customer,Email,Phone\nAnn,a@example.com,555-0100\n', 'parties'],
    ['Vendors', 'Vendor,Terms\nBob,Net 15\n', 'parties'],
    ['Products', 'Item,Price,Description\nPump,12.5,Repair\n', 'items'],
    ['Accounts', 'Account Name,Account Number,Type\nRent,6000,Expense\n', 'accounts'],
    ['Invoices', 'Customer,Invoice #,Date,Due Date,Open Balance\nAnn,1,1/31/2025,2/28/2025,5.00\n', 'documents'],
    ['Bills', 'Vendor,Bill #,Date,Amount\nBob,1,1/31/2025,-5.00\n', 'documents'],
    ['Payments', 'Payment Date,Customer,Amount,Deposit To\n1/31/2025,Ann,5.00,Checking\n', 'transactions'],
    ['Bill payments', 'Date,Vendor,Amount,Paid From\n1/31/2025,Bob,5.00,Checking\n', 'transactions'],
    ['Journal entries', 'Date,Account,Debit,Credit\n1/31/2025,Rent,5.00,\n1/31/2025,Cash,,5.00\n', 'transactions'],
  ] as const)('%s are recognized by their column headings', (kind, text, records) => {
    const [found] = recognize([file('sheet.csv', text)]);
    expect([found?.format, found?.sheet?.kind, found?.counts[records]]).toEqual(['spreadsheet', kind, 1]);
  });

  it('payments in a spreadsheet reduce receivables and payables', () => {
    const text = (side: string): ImportFile =>
      file('s.csv', `Date,${side},Amount,Bank Account\n1/31/2025,Ann,5.00,Checking\n`);
    expect(balances(booksOf(text('Customer')))).toEqual({ Checking: 500, 'Accounts Receivable': -500 });
    expect(balances(booksOf(text('Vendor')))).toEqual({ Checking: -500, 'Accounts Payable': 500 });
  });

  it('payments in a spreadsheet post to the receivables account in the account list', () => {
    const list = file('a.csv', 'Account,Type\nDebtors,Accounts Receivable\nChecking,Bank\n');
    const { books } = read([list, file('p.csv', 'Date,Customer,Amount,Deposit To\n1/31/2025,Ann,5.00,Checking\n')]);
    expect([books.refusals, balances(books)]).toEqual([[], { Checking: 500, Debtors: -500 }]);
  });

  it('the user can map spreadsheet columns with unknown headings', () => {
    const one = file('sheet.csv', 'Who,Mail\nAnn,a@example.com\n');
    expect(refusalOf(one)).toMatch(/doesn't recognize this file/);
    const choices: Choices = {
      kinds: { 'sheet.csv': 'Customers' },
      mappings: { 'sheet.csv': { customer: 0, email: 1 } },
    };
    expect(booksOf(one, choices).parties).toMatchObject([{ name: 'Ann', kind: 'customer', email: 'a@example.com' }]);
  });

  it('rows with the same number form one journal entry, and so do unnumbered rows that balance', () => {
    const text =
      'Date,Entry,Account,Debit,Credit,Memo\n1/31/2025,A,Rent,5.00,,x\n1/31/2025,A,Cash,,5.00,\n' +
      '1/31/2025,,Fuel,2.00,,\n1/31/2025,,Cash,,2.00,\n1/31/2025,,Fuel,3.00,,\n,,Cash,,3.00,\n';
    expect([...booksOf(file('s.csv', text)).transactions].map(({ number, lines }) => [number, lines.length])).toEqual([
      ['A', 2],
      [undefined, 2],
      [undefined, 2],
    ]);
    expect(refusalOf(file('s.csv', text.replace('2.00,,', '2.01,,')))).toMatch(
      /^s\.csv, rows 4, 5, 6, and 7: Journal Entry dated 1\/31\/2025/,
    );
  });

  it('rows form one journal entry if they have the same ID, which identifies the entry', () => {
    const text =
      'ID,Date,Account,Debit,Credit\n77,1/31/2025,Rent,5.00,\n77,1/31/2025,Cash,,5.00\n' +
      '78,1/31/2025,Fuel,2.00,\n78,1/31/2025,Cash,,2.00\n';
    const idsIn = (content: string) => [...booksOf(file('s.csv', content)).transactions].map((one) => one.identity);
    expect(idsIn(text)).toEqual(['77', '78'].map((id) => `Spreadsheet id ${id} 2025-01-31 Journal Entry`));
    expect(idsIn(text.replaceAll('2.00', '3.00'))).toEqual(idsIn(text));
    const payment = 'ID,Date,Customer,Amount,Bank Account\nP-1,1/31/2025,Ann,5.00,Cash\n';
    expect(idsIn(payment)).toEqual(['Spreadsheet id P-1 2025-01-31 Payment']);
  });

  it('rejects an unknown account type and a missing amount, and reports the row', () => {
    expect(refusalOf(file('s.csv', 'Account,Type\nRent,Outgoings\n'))).toBe(
      "s.csv, row 2: 'Outgoings' is not an account type",
    );
    expect(refusalOf(file('s.csv', 'Customer,Number,Date,Amount\nAnn,1,1/31/2025,\n'))).toBe(
      's.csv, row 2: The row has no open balance',
    );
  });
});
