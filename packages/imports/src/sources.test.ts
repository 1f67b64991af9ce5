import { gzipSync, strToU8 } from 'fflate';
import { describe, expect, it } from 'vitest';
import type { SourceBooks } from './books.ts';
import { read } from './read.ts';
import type { ImportFile } from './zip.ts';

const file = (name: string, text: string): ImportFile => ({ name, bytes: strToU8(text) });

function booksOf(...files: ImportFile[]): SourceBooks {
  const { books } = read(files);
  expect(books.refusals).toEqual([]);
  return books;
}

const refusalOf = (...files: ImportFile[]): string | undefined => read(files).books.refusals[0]?.text;

/** Returns the balances of all accounts by name. */
function balances({ accounts, transactions }: SourceBooks): Record<string, number> {
  const names = new Map(accounts.map(({ key, name }) => [key, name]));
  const found: Record<string, number> = {};
  for (const { account, amount } of [...transactions].flatMap(({ lines }) => lines)) {
    const name = names.get(account) ?? '?';
    found[name] = (found[name] ?? 0) + amount;
  }
  return found;
}

describe('QuickBooks Online lists', () => {
  const HEAD = 'Blue Inc\n';

  it('the QuickBooks Online account list provides types, roles, and numbers', () => {
    const text =
      `${HEAD}Account List\n\n\nAccount #,Full name,Type,Detail type,Description,Total balance\n` +
      '1000,Checking,Bank,Checking,,500.00\n1050,Undeposited Funds,Other Current Assets,Undeposited Funds,,\n' +
      '1200,Accounts Receivable (A/R),Accounts receivable (A/R),Accounts Receivable (A/R),,\n' +
      '2200,Board of Equalization Payable,Other Current Liabilities,Sales Tax Payable,,\n' +
      '1520,Truck:Depreciation,Fixed Assets,Accumulated Depreciation,,\n1500,Truck,Fixed Assets,Vehicles,,\n' +
      '3900,Retained Earnings,Equity,Retained Earnings,,\n6000,Old (deleted),Expenses,Other,,\n';
    const { accounts } = booksOf(file('Accounts.csv', text));
    expect(accounts.map(({ name, number, type, role, isActive }) => [name, number, type, role, isActive])).toEqual([
      ['Checking', '1000', 'Bank', undefined, true],
      ['Undeposited Funds', '1050', 'Cash', 'undepositedFunds', true],
      ['Accounts Receivable (A/R)', '1200', 'Accounts Receivable', 'receivable', true],
      ['Board of Equalization Payable', '2200', 'Sales Tax Payable', undefined, true],
      ['Truck:Depreciation', '1520', 'Accumulated Depreciation', undefined, true],
      ['Truck', '1500', 'Fixed Asset', undefined, true],
      ['Retained Earnings', '3900', 'Retained Earnings', 'retainedEarnings', true],
      ['Old', '6000', 'Expense', undefined, false],
    ]);
    expect(accounts.find(({ name }) => name === 'Truck:Depreciation')?.parent).toBe('Truck');
  });

  it('customers, vendors, and products are read from QuickBooks Online lists', () => {
    const customers =
      `${HEAD}Customer Contact List\n\nCustomer full name,Phone numbers,Email,Full name,` +
      `Bill address,Ship address\nAnn & Co,Phone: 555-0100,a@example.com,Ann,"1 Main St\nReno, NV",\n`;
    const vendors =
      `${HEAD}Vendor Contact List\n\nVendor,Phone numbers,Email,Full name,Address,Account #\n` +
      `Bob Supply,,b@example.com,Bob,2 Main St,\n`;
    const items =
      `${HEAD}Product/Service List\n\nProduct/Service Name,Type,Sales Description,Sales Price ` +
      `/ Rate,Taxable,Income Account\nPump,Service,Repair of pumps,75.5,yes,Sales\n`;
    const books = booksOf(file('c.csv', customers), file('v.csv', vendors), file('p.csv', items));
    expect(books.parties.map(({ name, kind, email, phone, address }) => [name, kind, email, phone, address])).toEqual([
      ['Ann & Co', 'customer', 'a@example.com', '555-0100', '1 Main St\nReno, NV'],
      ['Bob Supply', 'vendor', 'b@example.com', undefined, '2 Main St'],
    ]);
    expect(books.items).toMatchObject([{ name: 'Pump', price: '75.5', isTaxable: true, incomeAccount: 'Sales' }]);
  });

  const OPEN =
    `${HEAD}Open Invoices\n"As of December 31, 2025"\n\n` +
    `,Date,Transaction type,Num,Term,Due date,Amount,Open balance\n` +
    'Ann & Co,,,,,,,\n,11/15/2025,Invoice,1001,Net 30,12/15/2025,300.00,100.00\n' +
    ',12/20/2025,Payment,,,12/20/2025,-40.00,-40.00\n' +
    'Total for Ann & Co,,,,,,260.00,60.00\nBob,,,,,,,\n' +
    ',12/01/2025,Credit Memo,1002,,12/01/2025,-5.00,-5.00\nTotal for Bob,,,,,,-5.00,-5.00\n' +
    'TOTAL,,,,,,255.00,55.00\n';

  it('the open balances of invoices are read, with credits as positive amounts', () => {
    const { documents, partyBalances } = booksOf(file('Open Invoices.csv', OPEN));
    expect(
      documents.map(({ kind, number, party, date, dueDate, open, total }) => [
        kind,
        number,
        party,
        date,
        dueDate,
        open,
        total,
      ]),
    ).toEqual([
      ['invoice', '1001', 'Ann & Co', '2025-11-15', '2025-12-15', 10_000, 30_000],
      ['customerPayment', undefined, 'Ann & Co', '2025-12-20', '2025-12-20', 4000, 4000],
      ['creditMemo', '1002', 'Bob', '2025-12-01', '2025-12-01', 500, 500],
    ]);
    expect(partyBalances.map(({ party, amount, asOf }) => [party, amount, asOf])).toEqual([
      ['Ann & Co', 6000, '2025-12-31'],
      ['Bob', -500, '2025-12-31'],
    ]);
  });

  it('rejects an open invoice with a wrong total, and reports the row', () => {
    expect(refusalOf(file('o.csv', OPEN.replace('260.00,60.00', '260.00,60.01')))).toMatch(
      /^o\.csv, row 9: Total for Ann & Co is 60\.01, but its rows add up to 60\.00\./,
    );
  });

  it('a trial balance is read with its date, but a wrong total is rejected and the row is reported', () => {
    const text =
      `${HEAD}Trial Balance\n"As of December 31, 2025"\n\n,Debit,Credit\nChecking,500.00,\n` +
      `Sales,,500.00\nTOTAL,500.00,500.00\n`;
    const [balance] = booksOf(file('t.csv', text)).trialBalances;
    expect([balance?.asOf, balance?.balances.map(({ amount }) => amount)]).toEqual(['2025-12-31', [50_000, -50_000]]);
    expect(refusalOf(file('t.csv', text.replace('TOTAL,500.00', 'TOTAL,500.01')))).toMatch(
      /^t\.csv, row 8: The total has debits/,
    );
  });
});

describe('QuickBooks Online General Ledger', () => {
  const TEXT =
    'General Ledger\nBlue Inc\n"January 1-June 30, 2026"\n\n' +
    ',Distribution account,Transaction date,Transaction type,Num,Name,Memo/Description,Split account,Amount,Balance\n' +
    '1000 Checking,,,,,,,,,\n,Beginning Balance,,,,,,,,"1,000.00"\n' +
    ',1000 Checking,01/02/2026,Expense,,Penny,,Rent,-562.45,437.55\n' +
    ',1000 Checking,01/15/2026,Deposit,,Ann,,Sales,100.00,537.55\nTotal for 1000 Checking,,,,,,,,-$462.45,\n' +
    '3000 Opening Balance Equity,,,,,,,,,\n,Beginning Balance,,,,,,,,"1,000.00"\n' +
    'Total for 3000 Opening Balance Equity,,,,,,,,,\n' +
    '4000 Sales,,,,,,,,,\n,4000 Sales,01/15/2026,Deposit,,Ann,,Checking,100.00,100.00\n' +
    'Total for 4000 Sales,,,,,,,,$100.00,\n' +
    '6000 Rent,,,,,,,,,\n,6000 Rent,01/02/2026,Expense,,Penny,,Checking,562.45,562.45\n' +
    'Total for 6000 Rent,,,,,,,,$562.45,\n' +
    'TOTAL,,,,,,,,,\n';

  it('balances before the period become one transaction, with signs determined by the accounts', () => {
    const books = booksOf(file('GL.csv', TEXT));
    expect([books.from, books.to]).toEqual(['2026-01-01', '2026-06-30']);
    expect(books.transactions.at(0)).toMatchObject({
      date: '2025-12-31',
      type: 'Opening Balance',
      lines: [{ amount: 100_000 }, { amount: -100_000 }],
    });
    expect(balances(books)).toEqual({
      '1000 Checking': 53_755,
      '3000 Opening Balance Equity': -100_000,
      '4000 Sales': -10_000,
      '6000 Rent': 56_245,
    });
  });

  it('rejects a General Ledger with a wrong balance, and reports the row', () => {
    expect(refusalOf(file('GL.csv', TEXT.replace('537.55', '537.56')))).toMatch(
      /^GL\.csv, row 9: The balance of 1000 Checking is 537\.56/,
    );
  });
});

describe('Xero', () => {
  const CHART =
    '*Code,*Name,*Type,*Tax Code,Description,Dashboard,Expense Claims,Enable Payments\n,Business Bank,Bank,,,,,\n' +
    '200,Sales,Revenue,Tax on Sales,,No,No,No\n610,Accounts Receivable,Accounts Receivable,,,No,No,No\n' +
    '820,Sales Tax,Sales Tax,,,No,No,No\n';
  const JOURNAL =
    'Journal Report\nBlue Inc\nFor the period 1 January 2025 to 31 December 2025\n\n' +
    'Date,Source,Description,Reference,Account,Account Code,Debit,Credit\nID 16 Posted 5 Jan 2025,,,,,,,\n' +
    '05 Jan 2025,Receivable Invoice,Ann & Co,INV-1,Accounts Receivable,610,108.00,\n' +
    '05 Jan 2025,Receivable Invoice,Ann & Co - Pump,INV-1,Sales,200,,100.00\n' +
    '05 Jan 2025,Receivable Invoice,Ann & Co - Pump,INV-1,Sales Tax,820,,8.00\nTotal,,,,,,108.00,108.00\n' +
    'ID 17 Posted 9 Jan 2025,,,,,,,\n' +
    '09 Jan 2025,Receivable Payment,Ann & Co,INV-1,Business Bank,,60.00,\n' +
    '09 Jan 2025,Receivable Payment,Ann & Co,INV-1,Accounts Receivable,610,,60.00\nTotal,,,,,,60.00,60.00\n';

  it('a journal is grouped by its headings, and the contact for receivables is in the description', () => {
    const books = booksOf(file('Chart.csv', CHART), file('Journal.csv', JOURNAL));
    expect([...books.transactions].map(({ id, lines }) => [id, lines.length])).toEqual([
      ['ID 16 Posted 5 Jan 2025', 3],
      ['ID 17 Posted 9 Jan 2025', 2],
    ]);
    expect(balances(books)).toEqual({
      'Accounts Receivable': 4800,
      'Business Bank': 6000,
      Sales: -10_000,
      'Sales Tax': -800,
    });
    const receivable = books.accounts.find(({ role }) => role === 'receivable')?.key;
    const lines = [...books.transactions].flatMap((one) => one.lines).filter(({ account }) => account === receivable);
    expect(lines.map(({ party }) => party)).toEqual(['Ann & Co', 'Ann & Co']);
  });

  it('rejects a journal with a wrong total, and reports the row', () => {
    expect(refusalOf(file('Chart.csv', CHART), file('j.csv', JOURNAL.replace('60.00,60.00', '60.00,60.10')))).toMatch(
      /^j\.csv, rows 12, 13, and 14:/,
    );
  });

  it('the narration is read from a journal that has an ID on each row and no codes for its bank accounts', () => {
    const text =
      'Journal Report\nBlue Inc\nFor the year ended 31 December 2025\n\n' +
      'Date,Journal ID,Narration,Account Code,Account,Description,Debit,Credit,Posted Date,Posted By\n' +
      '05 Jan 2025,16,Sale,,Business Bank,Ann,60.00,,06 Jan 2025,Sally\n' +
      '05 Jan 2025,16,Sale,200,Sales,Ann,,60.00,06 Jan 2025,Sally\n,16,,,,,60.00,60.00,,\n' +
      '05 Jan 2025,17,Sale,,Business Bank,Ann,5.00,,06 Jan 2025,Sally\n' +
      '05 Jan 2025,17,Sale,200,Sales,Ann,,5.00,06 Jan 2025,Sally\n' +
      ',17,,,,,5.00,5.00,,\n';
    const { books } = read([file('Journal.csv', text)]);
    expect(books.refusals).toEqual([]);
    expect([...books.transactions].map(({ id, memo }) => [id, memo])).toEqual([
      ['16', 'Sale'],
      ['17', 'Sale'],
    ]);
    expect(books.accounts.map(({ name, number }) => [name, number])).toEqual([
      ['Sales', '200'],
      ['Business Bank', undefined],
    ]);
  });

  it('opening balances become one transaction, even if credit balances are shown as positive', () => {
    const text =
      'Account Transactions\nBlue Inc\nFor the period 1 July 2025 to 31 December 2025\n\n' +
      'Date,Source,Description,Reference,Debit,Credit,Running Balance\n' +
      'Bank,,,,,,\nOpening Balance,,,,100.00,,100.00\n05 Jul 2025,Spend Money,Loan,1,,30.00,70.00\n' +
      'Total Bank,,,,,30.00,70.00\n' +
      'Loan (900),,,,,,\nOpening Balance,,,,,,100.00\n05 Jul 2025,Spend Money,Loan,1,30.00,,70.00\n' +
      'Total Loan (900),,,,30.00,,70.00\n' +
      'Total,,,,30.00,30.00,\n';
    const { books } = read([file('t.csv', text)]);
    expect(books.refusals).toEqual([]);
    expect(books.transactions.at(0)).toMatchObject({ date: '2025-06-30', type: 'Opening Balance' });
    expect(balances(books)).toEqual({ Bank: 7000, Loan: -7000 });
  });

  it('ungrouped account transactions are read by the account column', () => {
    const text =
      'Account Transactions\nBlue Inc\nFor the period 1 January 2025 to 31 December 2025\n\n' +
      'Date,Source,Description,Reference,Debit,Credit,Account Code,Account\n' +
      '05 Jan 2025,Spend Money,Rent,1,50.00,,400,Rent\n' +
      '05 Jan 2025,Spend Money,Rent,1,,50.00,,Business Bank\nTotal,,,,50.00,50.00,,\n';
    const { books } = read([file('t.csv', text)]);
    expect(books.refusals).toEqual([]);
    expect(balances(books)).toEqual({ 'Business Bank': -5000, Rent: 5000 });
    expect(refusalOf(file('t.csv', text.replace('Total,,,,50.00', 'Total,,,,50.01')))).toMatch(
      /^t\.csv, row 8: The total of the report/,
    );
  });

  const INVOICES =
    'ContactName,InvoiceNumber,InvoiceDate,DueDate,Total,InvoiceAmountPaid,InvoiceAmountDue,Description,' +
    'LineAmount,AccountCode,TaxAmount,Currency,Type,Status\n' +
    'Ann & Co,INV-1,1/31/2025,2/28/2025,108.00,60.00,48.00,Pump,60.00,200,4.80,USD,Sales invoice,Awaiting Payment\n' +
    'Ann & Co,INV-1,1/31/2025,2/28/2025,108.00,60.00,48.00,Pipe,40.00,200,3.20,USD,Sales invoice,Awaiting Payment\n' +
    'Bob,INV-1,1/31/2025,2/28/2025,54.00,0.00,54.00,Pump,50.00,200,4.00,USD,Sales invoice,Awaiting Payment\n';

  it('invoices with the same number stay separate if they have different contacts', () => {
    const { documents } = booksOf(file('Invoices.csv', INVOICES));
    expect(documents.map(({ party, number, open, lines }) => [party, number, open, lines.length])).toEqual([
      ['Ann & Co', 'INV-1', 4800, 2],
      ['Bob', 'INV-1', 5400, 1],
    ]);
  });

  it('rejects an invoice with a wrong line amount, and reports its rows', () => {
    expect(refusalOf(file('i.csv', INVOICES.replace('Pipe,40.00', 'Pipe,40.01')))).toMatch(
      /^i\.csv, rows 2 and 3: The total of invoice INV-1/,
    );
  });
});

describe('beancount', () => {
  const TEXT =
    'option "title" "Blue \\"Best\\" Inc"\n2025-01-01 open Assets:Checking USD\n  name: "Main checking"\n' +
    '2025-01-01 open Income:Sales\n' +
    '2025-01-01 open Assets:Accounts-Receivable\n\n2025-01-05 * "Ann & Co" "Pump" #tag\n  code: "1001"\n' +
    '  Assets:Accounts-Receivable  108.00 USD\n    customer: "Ann & Co"\n  Income:Sales\n\n' +
    '2025-01-09 balance Assets:Accounts-Receivable  108.00 USD\n2025-01-09 txn "Payment"\n' +
    '  Assets:Checking  60.00 USD\n  Assets:Accounts-Receivable  -60.00 USD\n\n' +
    '2025-01-10 balance Assets:Checking 60.00 USD\n';

  it('transactions, metadata, and balances are read from a beancount file', () => {
    const books = booksOf(file('books.beancount', TEXT));
    expect(books.company).toBe('Blue "Best" Inc');
    expect(balances(books)).toEqual({ 'Accounts-Receivable': 4800, 'Main checking': 6000, Sales: -10_800 });
    expect(books.transactions.at(0)).toMatchObject({
      number: '1001',
      party: 'Ann & Co',
      lines: [{ party: 'Ann & Co', partyKind: 'customer' }, {}],
    });
  });

  it('rejects a beancount file with a wrong balance, a pad, or another commodity, and reports the row', () => {
    expect(
      refusalOf(file('b.beancount', TEXT.replace('Receivable  108.00 USD\n2025', 'Receivable  108.01 USD\n2025'))),
    ).toMatch(/^b\.beancount, row 13: The balance of Assets:Accounts-Receivable should be 108\.01/);
    expect(refusalOf(file('b.beancount', `${TEXT}2025-02-01 pad Assets:Checking Equity:Opening\n`))).toMatch(
      /^b\.beancount, row 19: .*pad/,
    );
    expect(refusalOf(file('b.beancount', TEXT.replace('60.00 USD', '60.00 EUR')))).toMatch(
      /^b\.beancount, row 15: '60\.00 EUR' in Assets:Checking/,
    );
  });
});

describe('hledger', () => {
  it('journals included in an hledger journal are read from the other files', () => {
    const main = file(
      'main.journal',
      'include 2025.journal\n\n2026-01-02 Rent\n    expenses:rent  $5\n    assets:checking  = $95\n',
    );
    const part = file('2025.journal', '2025-01-02 Start\n    assets:checking  $100.00\n    equity:opening\n');
    const books = booksOf(main, part);
    expect(balances(books)).toEqual({ checking: 9500, opening: -10_000, rent: 500 });
    expect(refusalOf(main)).toMatch(
      /^main\.journal, row 1: The journal includes 2025\.journal, which is not among the files\./,
    );
  });

  it('rejects an hledger journal with a wrong balance or virtual postings, and reports the row', () => {
    const text = '2025-01-02 Start\n    assets:checking  $100.00 = $100.01\n    equity:opening\n';
    expect(refusalOf(file('a.journal', text))).toMatch(
      /^a\.journal, row 2: The balance of assets:checking should be 100\.01/,
    );
    expect(refusalOf(file('a.journal', text.replace('equity:opening', '(budget)  $5')))).toMatch(
      /^a\.journal, row 3: .*virtual/,
    );
  });
});

describe('GnuCash', () => {
  const account = (id: string, name: string, type: string, { parent = 'root', currency = 'USD' } = {}): string =>
    `<gnc:account version="2.0.0">\n<act:name>${name}</act:name><act:id type="guid">${id}</act:id>` +
    `<act:type>${type}</act:type>` +
    `<act:commodity><cmdty:space>CURRENCY</cmdty:space><cmdty:id>${currency}</cmdty:id></act:commodity>` +
    `${type === 'ROOT' ? '' : `<act:parent type="guid">${parent}</act:parent>`}</gnc:account>\n`;
  const split = (id: string, value: string, quantity = value): string =>
    `<trn:split>\n<split:id type="guid">s</split:id><split:value>${value}</split:value><split:quantity>` +
    `${quantity}</split:quantity><split:account type="guid">${id}</split:account></trn:split>\n`;
  const booksText = (splits: string, currency = 'USD'): string =>
    `<?xml version="1.0" encoding="utf-8" ?>\n<gnc-v2 xmlns:gnc="g">\n<gnc:book version="2.0.0">\n` +
    `${account('root', 'Root', 'ROOT')}${account('a', 'Assets', 'ASSET')}` +
    `${account('b', 'Checking', 'BANK', { parent: 'a', currency })}${account('i', 'Sales', 'INCOME')}` +
    `<gnc:transaction version="2.0.0"><trn:id type="guid">t1</trn:id><trn:currency><cmdty:id>USD</cmdty:id>` +
    `</trn:currency><trn:num>7</trn:num>` +
    `<trn:date-posted><ts:date>2025-03-04 10:59:00 +0000</ts:date></trn:date-posted><trn:description>` +
    `Ann</trn:description><trn:splits>\n${splits}</trn:splits></gnc:transaction>\n` +
    `<gnc:template-transactions>${account('x', 'Template', 'BANK')}<gnc:transaction><trn:id>t2</trn:id>` +
    `</gnc:transaction></gnc:template-transactions></gnc:book></gnc-v2>`;
  const GOOD = booksText(split('b', '12345/100') + split('i', '-24690/200'));

  it.each([
    ['plain', strToU8(GOOD)],
    ['compressed', gzipSync(strToU8(GOOD))],
  ])('a %s GnuCash file is read with exact amounts', (_, bytes) => {
    const books = booksOf({ name: 'books.gnucash', bytes });
    expect(balances(books)).toEqual({ 'Assets:Checking': 12_345, Sales: -12_345 });
    expect(books.transactions.at(0)).toMatchObject({ id: 't1', number: '7', date: '2025-03-04', memo: 'Ann' });
    expect(books.warnings.map(({ text }) => text)).toEqual([
      "books.gnucash: 1 scheduled transaction doesn't post and won't be imported",
    ]);
  });

  it('rejects GnuCash fractions of a cent, other commodities, and wrong amounts, and reports the place', () => {
    const refused = (text: string): string | undefined => refusalOf(file('b.gnucash', text));
    expect(refused(booksText(split('b', '1/3') + split('i', '-1/3')))).toMatch(
      /row 13: The amount 1\/3 in Assets:Checking is not a whole number of cents/,
    );
    expect(refused(booksText(split('b', '1/1') + split('i', '-1/1'), 'EUR'))).toMatch(
      /The account Assets:Checking is in EUR\./,
    );
    expect(refused(booksText(split('b', '101/100') + split('i', '-1/1')))).toMatch(
      /rows \d+ and \d+: Transaction 7 dated 3\/4\/2025 doesn't balance/,
    );
    expect(refused(booksText(split('b', '101/100', '1/1') + split('i', '-101/100')))).toMatch(/a different quantity/);
  });
});

describe('Evenkeel', () => {
  const HEAD =
    'Transaction,Date,Source,Source id,Number,Description,Line,Account id,Account number,Account name,' +
    'Account type,Debit,Credit,Basis,Line description,Customer or vendor,Profit center,Location,Reverses line\r\n';
  const TEXT =
    `${HEAD}7,2025-03-04,Invoice,3,10007,Pump,11,138,1200,Accounts Receivable,Accounts ` +
    `Receivable,54.00,,A,,Ann,North,,\r\n7,2025-03-04,Invoice,3,10007,Pump,12,150,4000,Sales,Income,,54.00,` +
    `A,'=1,Ann,,,\r\n`;

  it('an Evenkeel export for both bases keeps IDs, bases, and profit centers', () => {
    const { transactions, accounts } = booksOf(file('Books.csv', TEXT));
    expect(accounts.map(({ key, number, type, role }) => [key, number, type, role])).toEqual([
      ['138', '1200', 'Accounts Receivable', 'receivable'],
      ['150', '4000', 'Income', undefined],
    ]);
    expect([...transactions]).toMatchObject([
      {
        id: '7',
        number: '10007',
        lines: [
          { basis: 'A', profitCenter: 'North', party: 'Ann' },
          { basis: 'A', memo: '=1' },
        ],
      },
    ]);
  });

  it('rejects an Evenkeel export with a wrong amount, and reports the rows', () => {
    expect(refusalOf(file('Books.csv', TEXT.replace(',54.00,A', ',54.01,A')))).toMatch(
      /^Books\.csv, rows 2 and 3: Invoice 10007 dated 3\/4\/2025/,
    );
  });
});

describe('QuickBooks Desktop lists', () => {
  it('opening balances, special accounts, and hidden accounts are read even if headers change mid-file', () => {
    const text =
      '!ACCNT\tNAME\tACCNTTYPE\tOBAMOUNT\tEXTRA\tHIDDEN\nACCNT\tChecking\tBANK\t"1,500.00"\t\tN\n' +
      'ACCNT\tOld Loan\tLTLIAB\t-200.00\t\tY\n' +
      '!ACCNT\tNAME\tEXTRA\tACCNTTYPE\nACCNT\tOwner Results\tRETEARNINGS\tEQUITY\textra\tcells\n' +
      'ACCNT\tTaxes due\tSALESTAX\tOCLIAB\n';
    const { accounts } = booksOf(file('lists.iif', text));
    expect(accounts.map(({ name, type, role, opening, isActive }) => [name, type, role, opening, isActive])).toEqual([
      ['Checking', 'Bank', undefined, 150_000, true],
      ['Old Loan', 'Long-Term Liability', undefined, -20_000, false],
      ['Owner Results', 'Retained Earnings', 'retainedEarnings', undefined, true],
      ['Taxes due', 'Sales Tax Payable', 'salesTax', undefined, true],
    ]);
  });
});
