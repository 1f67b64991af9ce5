import { accountTypeInfo } from '@evenkeel/core/books/accounts';
import type { SourceAccount } from '../books.ts';
import type { ImportFile } from '../zip.ts';
import type { TestAccount, TestCompany, TestLine, TestTransaction } from './company.ts';
import { dateText, encoded, fileOf, moneyText, type Style, type TestCell } from './files.ts';

/** A dialect: the way in which a program writes a company's books and names its accounts. */
export interface Dialect {
  name: string;
  write: (company: TestCompany, style: Style) => ImportFile[];
  /** Returns the name under which the reader lists the account. */
  nameOf: (account: TestAccount) => string;
  /** Returns the text that identifies an account that was read. */
  labelOf: (account: SourceAccount) => string;
}

type Rows = TestCell[][];

const leaf = ({ name }: TestAccount): string => name.slice(name.lastIndexOf(':') + 1);
const blankZero = (amount: number): TestCell => (amount === 0 ? '' : amount);
const partyOf = (line: TestLine, { party }: TestTransaction): string => line.party ?? party;
const longDate = (date: string): string => {
  const months = [
    'January',
    'February',
    'March',
    'April',
    'May',
    'June',
    'July',
    'August',
    'September',
    'October',
    'November',
    'December',
  ];
  const [year = '', month = '', day = ''] = date.split('-');
  return `${months[Number(month) - 1] ?? ''} ${Number(day)}, ${year}`;
};
const period = ({ from, to }: TestCompany): string =>
  `${longDate(from).replace(/, \d{4}$/, '')}, ${from.slice(0, 4)} - ${longDate(to)}`;

const sides = (amount: number): [TestCell, TestCell] => (amount > 0 ? [amount, ''] : ['', -amount]);
const debitsOf = (lines: readonly TestLine[]): number =>
  lines.reduce((sum, { amount }) => sum + Math.max(0, amount), 0);

/** The account list from QuickBooks Online. Inactive accounts are missing, as in the real list. */
export function accountList(company: TestCompany, style: Style): ImportFile {
  const types: Partial<Record<string, [string, string]>> = {
    Cash: ['Other Current Assets', 'Undeposited Funds'],
    Inventory: ['Other Current Assets', 'Inventory'],
    'Sales Tax Payable': ['Other Current Liabilities', 'Sales Tax Payable'],
    'Accounts Receivable': ['Accounts receivable (A/R)', 'Accounts Receivable (A/R)'],
    'Accounts Payable': ['Accounts payable (A/P)', 'Accounts Payable (A/P)'],
    'Retained Earnings': ['Equity', 'Retained Earnings'],
    'Fixed Asset': ['Fixed Assets', 'Vehicles'],
    'Other Current Asset': ['Other Current Assets', 'Prepaid Expenses'],
    'Long-Term Liability': ['Long Term Liabilities', 'Notes Payable'],
    Expense: ['Expenses', 'Other Business Expenses'],
  };
  const rows: Rows = [
    [company.name],
    ['Account List'],
    [''],
    [''],
    ['Account #', 'Full name', 'Type', 'Detail type', 'Description', 'Total balance'],
    ...company.accounts
      .filter(({ isActive }) => isActive)
      .map(({ name, number, type }) => [number, name, ...(types[type] ?? [type, type]), '', '']),
  ];
  return fileOf('Account List', rows, style);
}

function journalClassic(company: TestCompany, style: Style): ImportFile[] {
  const rows: Rows = [
    ['Journal'],
    [company.name],
    [period(company)],
    [''],
    ['Date', 'Transaction Type', 'Num', 'Name', 'Memo/Description', 'Account', 'Debit', 'Credit'],
  ];
  let total = 0;
  for (const transaction of company.transactions) {
    const { date, type, number, lines, memo } = transaction;
    for (const [index, line] of lines.entries()) {
      const start: TestCell[] = index === 0 ? [{ date }, type, number] : ['', '', ''];
      rows.push([...start, partyOf(line, transaction), line.memo ?? memo, line.account.name, ...sides(line.amount)]);
    }
    const sum = debitsOf(lines);
    total += sum;
    rows.push(['', '', '', '', '', '', sum, sum], ['']);
  }
  rows.push(
    ['TOTAL', '', '', '', '', '', total, total],
    [''],
    [''],
    ['Accrual Basis Friday, March 6, 2026 10:15 AM GMT-05:00'],
  );
  return [fileOf('Journal', rows, style)];
}

function journal2026(company: TestCompany, style: Style): ImportFile[] {
  const rows: Rows = [
    [company.name],
    ['Journal'],
    ['All Dates'],
    [''],
    ['', 'Transaction date', 'Transaction type', 'Num', 'Name', 'Description', 'Account full name', 'Debit', 'Credit'],
  ];
  let total = 0;
  for (const transaction of company.transactions) {
    const { id, date, type, number, lines, memo } = transaction;
    rows.push([String(id)]);
    for (const line of lines) {
      rows.push([
        '',
        { date },
        type,
        number,
        partyOf(line, transaction),
        line.memo ?? memo,
        line.account.name,
        ...sides(line.amount),
      ]);
    }
    // A line that has neither an account nor an amount.
    if (id % 11 === 0) rows.push(['', { date }, type, number, transaction.party, memo, '', '', '']);
    const sum = debitsOf(lines);
    total += sum;
    rows.push([`Total for ${id}`, '', '', '', '', '', '', sum, sum]);
  }
  rows.push(
    ['TOTAL', '', '', '', '', '', '', total, total],
    [''],
    [' Wednesday, September 30, 2026 02:43 PM GMT-05:00'],
  );
  return [fileOf('Journal', rows, style)];
}

const isDebitNature = ({ type }: TestAccount): boolean => ['Asset', 'Expense'].includes(accountTypeInfo(type).root);

function generalLedger(company: TestCompany, style: Style): ImportFile[] {
  const rows: Rows = [
    ['General Ledger'],
    [company.name],
    [period(company)],
    [''],
    ['', 'Date', 'Transaction Type', 'Num', 'Name', 'Memo/Description', 'Split', 'Amount', 'Balance'],
  ];
  const totals = new Map<string, number>();
  const section = (account: TestAccount): number => {
    let balance = 0;
    for (const transaction of company.transactions) {
      for (const line of transaction.lines.filter((one) => one.account === account)) {
        const amount = isDebitNature(account) ? line.amount : -line.amount;
        balance += amount;
        const other =
          transaction.lines.length > 2
            ? '-Split-'
            : (transaction.lines.find((one) => one !== line)?.account.name ?? '');
        const { date, type, number } = transaction;
        rows.push([
          '',
          { date },
          type,
          number,
          partyOf(line, transaction),
          line.memo ?? transaction.memo,
          other,
          amount,
          balance,
        ]);
      }
    }
    totals.set(account.name, balance);
    return balance;
  };
  for (const parent of company.accounts.filter(({ name }) => !name.includes(':'))) {
    const children = company.accounts.filter(({ name }) => name.startsWith(`${parent.name}:`));
    rows.push([parent.name]);
    const before = rows.length;
    let sum = section(parent);
    if (children.length === 0) {
      if (rows.length === before) rows.pop();
      else rows.push([`Total for ${parent.name}`, '', '', '', '', '', '', sum]);
      continue;
    }
    if (rows.length > before) rows.push([`Total for ${parent.name}`, '', '', '', '', '', '', sum]);
    for (const child of children) {
      rows.push([leaf(child)]);
      const own = section(child);
      sum += own;
      rows.push([`Total for ${leaf(child)}`, '', '', '', '', '', '', own]);
    }
    rows.push([`Total for ${parent.name} with sub-accounts`, '', '', '', '', '', '', sum]);
  }
  rows.push([''], ['Accrual Basis Friday, March 6, 2026 10:15 AM GMT-05:00']);
  const ledger = fileOf('General Ledger', rows, style);
  return [ledger, accountList(company, style)];
}

const desktopName = (company: TestCompany, account: TestAccount): string => {
  const parent = company.accounts.find(({ name }) => account.name.startsWith(`${name}:`));
  const own = `${account.number} · ${leaf(account)}`;
  return parent === undefined ? own : `${parent.number} · ${parent.name}:${own}`;
};

function desktopDetail(company: TestCompany, style: Style): ImportFile[] {
  const rows: Rows = [
    [company.name],
    ['Custom Transaction Detail Report'],
    ['All Transactions'],
    [
      '',
      'Trans #',
      'Type',
      'Date',
      'Num',
      'Name',
      'Memo',
      'Account',
      'Clr',
      'Split',
      'Debit',
      'Credit',
      'Amount',
      'Balance',
    ],
  ];
  let balance = 0;
  let total = 0;
  for (const transaction of company.transactions) {
    const { id, date, type, number, memo, lines } = transaction;
    for (const line of lines) {
      balance += line.amount;
      const trans = (id + 364_000).toLocaleString('en-US');
      const split =
        lines.length > 2 ? '-SPLIT-' : desktopName(company, lines.find((one) => one !== line)?.account ?? line.account);
      const account = desktopName(company, line.account);
      rows.push([
        '',
        trans,
        type,
        { date },
        number,
        partyOf(line, transaction),
        line.memo ?? memo,
        account,
        '',
        split,
        ...sides(line.amount),
        line.amount,
        balance,
      ]);
    }
    total += debitsOf(lines);
  }
  rows.push(['TOTAL', '', '', '', '', '', '', '', '', '', total, total, 0, balance]);
  return [fileOf('Transaction Detail', rows, style)];
}

const IIF_TYPES: Partial<Record<string, string>> = {
  'Journal Entry': 'GENERAL JOURNAL',
  'Sales Receipt': 'CASH SALE',
  'Bill Payment': 'BILLPMT',
  'Vendor Credit': 'BILL REFUND',
  Expense: 'CHECK',
};

const IIF_ACCOUNTS: Record<string, string> = {
  Bank: 'BANK',
  Cash: 'OCASSET',
  'Accounts Receivable': 'AR',
  Inventory: 'OCASSET',
  'Other Current Asset': 'OCASSET',
  'Fixed Asset': 'FIXASSET',
  'Accounts Payable': 'AP',
  'Credit Card': 'CCARD',
  'Sales Tax Payable': 'OCLIAB',
  'Long-Term Liability': 'LTLIAB',
  Equity: 'EQUITY',
  'Retained Earnings': 'EQUITY',
  Income: 'INC',
  'Cost of Goods Sold': 'COGS',
  Expense: 'EXP',
  'Other Income': 'EXINC',
  'Other Expense': 'EXEXP',
};
const EXTRAS: Record<string, string> = {
  Cash: 'UNDEPOSIT',
  'Sales Tax Payable': 'SALESTAX',
  'Retained Earnings': 'RETEARNINGS',
};

function iif(company: TestCompany, style: Style): ImportFile[] {
  const quoted = (text: string): string =>
    /[",\t\n]/.test(text) ? `"${text.replaceAll('"', '""').replaceAll('\n', ' ')}"` : text;
  const shortDate = (date: string): string => {
    const [year = '', month = '', day = ''] = date.split('-');
    return `${Number(month)}/${Number(day)}/${year.slice(2)}`;
  };
  const lines = [
    '!HDR\tPROD\tVER\tREL\tIIFVER\tDATE\tTIME\tACCNTNT\tACCNTNTSPLITTIME',
    'HDR\tQuickBooks Premier\tVersion 33.0\tRelease R1P\t1\t2026-03-06\t1709733000\tN\t0',
    '!ACCNT\tNAME\tREFNUM\tTIMESTAMP\tACCNTTYPE\tOBAMOUNT\tDESC\tACCNUM\tSCD\tBANKNUM\tEXTRA\tHIDDEN',
    ...company.accounts.map(({ name, number, type, isActive }, index) =>
      [
        'ACCNT',
        quoted(name),
        index + 1,
        '1',
        IIF_ACCOUNTS[type] ?? 'EXP',
        '0.00',
        '',
        number,
        '',
        '',
        EXTRAS[type] ?? '',
        isActive ? 'N' : 'Y',
      ].join('\t'),
    ),
    '!CUST\tNAME\tBADDR1\tBADDR2\tPHONE1\tEMAIL\tTERMS\tHIDDEN',
    ...company.customers.map((name) =>
      ['CUST', quoted(name), quoted(name), '1 Main St', '555-0100', 'a@example.com', 'Net 30', 'N'].join('\t'),
    ),
    '!VEND\tNAME\tADDR1\tTERMS\tHIDDEN',
    ...company.vendors.map((name) => ['VEND', quoted(name), quoted(name), 'Net 15', 'N'].join('\t')),
    '!TRNS\tTRNSID\tTRNSTYPE\tDATE\tACCNT\tNAME\tCLASS\tAMOUNT\tDOCNUM\tMEMO\tCLEAR',
    '!SPL\tSPLID\tTRNSTYPE\tDATE\tACCNT\tNAME\tCLASS\tAMOUNT\tDOCNUM\tMEMO\tCLEAR',
    '!ENDTRNS',
  ];
  for (const transaction of company.transactions) {
    const { id, date, type, number, memo } = transaction;
    for (const [index, line] of transaction.lines.entries()) {
      const amount = moneyText(line.amount, { parentheses: false, thousands: style.thousands });
      const cells = [
        index === 0 ? 'TRNS' : 'SPL',
        index === 0 ? id : '',
        IIF_TYPES[type] ?? type.toUpperCase(),
        shortDate(date),
        quoted(line.account.name),
        quoted(partyOf(line, transaction)),
        '',
        style.thousands ? quoted(amount) : amount,
        number,
        quoted(line.memo ?? memo),
        'N',
        // Rows may have more cells than the header.
        ...(id % 5 === 0 ? ['', ''] : []),
      ];
      lines.push(cells.join('\t'));
    }
    lines.push('ENDTRNS');
    // Estimates don't post, and the header may change in the middle of a file.
    if (id % 97 === 0) {
      lines.push(
        '!TRNS\tTRNSID\tTRNSTYPE\tDATE\tACCNT\tNAME\tCLASS\tAMOUNT\tDOCNUM\tMEMO\tCLEAR\tTOPRINT',
        `TRNS\t${id}\tESTIMATES\t${shortDate(date)}\tEstimates\tX\t\t5.00\t1\t\tN\tN`,
        `SPL\t\tESTIMATES\t${shortDate(date)}\tSales\t\t\t-5.00\t\t\tN`,
        'ENDTRNS',
      );
    }
  }
  const encoding = style.encoding === 'utf-16' ? 'windows-1252' : style.encoding;
  return [{ name: 'Company.iif', bytes: encoded(lines.join(style.newline) + style.newline, encoding) }];
}

const waveName = ({ name }: TestAccount): string => name.replaceAll(':', ' - ');

function wave(company: TestCompany, style: Style): ImportFile[] {
  const rows: Rows = [
    [
      'Transaction ID',
      'Transaction Date',
      'Account Name',
      'Transaction Description',
      'Transaction Line Description',
      'Amount (One column)',
      ' ',
      'Debit Amount (Two Column Approach)',
      'Credit Amount (Two Column Approach)',
      'Other Accounts for this Transaction',
      'Customer',
      'Vendor',
      'Invoice Number',
      'Bill Number',
      'Notes / Memo',
      'Amount Before Sales Tax',
      'Sales Tax Amount',
      'Sales Tax Name',
      'Transaction Date Added',
      'Transaction Date Last Modified',
      'Account Group',
      'Account Type',
      'Account ID',
    ],
  ];
  const late: Rows = [];
  for (const transaction of company.transactions) {
    const { id, date, type, number, memo, partyKind } = transaction;
    for (const line of transaction.lines) {
      const party = partyOf(line, transaction);
      const isVendor = partyKind === 'vendor';
      const { root } = accountTypeInfo(line.account.type);
      const cells: TestCell[] = [
        `2403037444485${String(id).padStart(6, '0')}`,
        date,
        waveName(line.account),
        memo,
        line.memo ?? '',
        isDebitNature(line.account) ? line.amount : -line.amount,
        '',
        ...sides(line.amount),
        '',
        isVendor ? '' : party,
        isVendor ? party : '',
        type === 'Invoice' ? number : '',
        type === 'Bill' ? number : '',
        '',
        '',
        '',
        '',
        date,
        date,
        root,
        WAVE_TYPES[line.account.type] ?? root,
        '',
      ];
      // The rows of a transaction need not be adjacent.
      if (id % 13 === 0 && line === transaction.lines.at(-1)) late.push(cells);
      else rows.push(cells);
    }
  }
  return [fileOf('accounting', [...rows, ...late], { ...style, isWorkbook: false, parentheses: false })];
}

const WAVE_TYPES: Partial<Record<string, string>> = {
  Bank: 'Cash and Bank',
  Cash: 'Money in Transit',
  'Accounts Receivable': 'System Receivable Invoice',
  'Accounts Payable': 'System Payable Bill',
  'Credit Card': 'Credit Card',
  'Sales Tax Payable': 'Sales Taxes',
  Expense: 'Operating Expense',
  'Cost of Goods Sold': 'Cost of Goods Sold',
  Income: 'Income',
};

const isBank = ({ type }: TestAccount): boolean => type === 'Bank' || type === 'Credit Card';

function xeroJournal(company: TestCompany, style: Style): ImportFile[] {
  const own: Style = { ...style, dates: 'named' };
  const rows: Rows = [
    ['Journal Report'],
    [company.name],
    [`For the period ${dateText(company.from, own)} to ${dateText(company.to, own)}`],
    [''],
    [
      'Journal Number',
      'Date',
      'Source',
      'Contact',
      'Description',
      'Reference',
      'Account',
      'Account Code',
      'Debit (USD)',
      'Credit (USD)',
    ],
  ];
  let total = 0;
  for (const transaction of company.transactions) {
    const { id, date, type, number, memo, lines } = transaction;
    for (const line of lines) {
      rows.push([
        String(id),
        dateText(date, own),
        type,
        partyOf(line, transaction),
        line.memo ?? memo,
        number,
        leaf(line.account),
        isBank(line.account) ? '' : line.account.number,
        ...sides(line.amount),
      ]);
    }
    total += debitsOf(lines);
  }
  rows.push(['Total', '', '', '', '', '', '', '', total, total]);
  return [fileOf('Journal Report', rows, own)];
}

function xeroTransactions(company: TestCompany, style: Style): ImportFile[] {
  const own: Style = { ...style, dates: 'named', parentheses: true };
  const rows: Rows = [
    ['Account Transactions'],
    [company.name],
    [`For the period ${dateText(company.from, own)} to ${dateText(company.to, own)}`],
    [''],
    ['Date', 'Source', 'Contact', 'Description', 'Reference', 'Debit', 'Credit', 'Running Balance'],
  ];
  let total = 0;
  for (const account of company.accounts) {
    const label = isBank(account) ? leaf(account) : `${leaf(account)} (${account.number})`;
    let [balance, debits, credits] = [0, 0, 0];
    const entries: Rows = [];
    for (const transaction of company.transactions) {
      for (const line of transaction.lines.filter((one) => one.account === account)) {
        balance += line.amount;
        debits += Math.max(0, line.amount);
        credits += Math.max(0, -line.amount);
        const { date, type, number, memo } = transaction;
        entries.push([
          dateText(date, own),
          type,
          partyOf(line, transaction),
          line.memo ?? memo,
          number,
          ...sides(line.amount),
          balance,
        ]);
      }
    }
    if (entries.length === 0) continue;
    total += debits;
    rows.push([''], [label], ['Opening Balance', '', '', '', '', '', '', 0], ...entries);
    rows.push([`Total ${label}`, '', '', '', '', blankZero(debits), blankZero(credits), balance]);
    rows.push(['Closing Balance', '', '', '', '', ...(balance >= 0 ? [balance, ''] : ['', -balance]), balance]);
  }
  rows.push([''], ['Total', '', '', '', '', total, total, '']);
  return [fileOf('Account Transactions', rows, own)];
}

function hledger(company: TestCompany, style: Style): ImportFile[] {
  const roots: Record<string, string> = {
    Asset: 'Assets',
    Liability: 'Liabilities',
    Equity: 'Equity',
    Income: 'Income',
    Expense: 'Expenses',
  };
  const nameOf = (account: TestAccount): string => `${roots[accountTypeInfo(account.type).root] ?? ''}:${account.name}`;
  const clean = (text: string): string =>
    text
      .replaceAll(/[\n;|,]/g, ' ')
      .replace(/\s+/g, ' ')
      .trim();
  const lines = [
    `; company: ${clean(company.name)}   basis: accrual`,
    'decimal-mark .',
    'commodity $1000.00',
    ...company.accounts.map((account) => {
      const { root } = accountTypeInfo(account.type);
      return `account ${nameOf(account)}  ; type:${LETTERS[root]}`;
    }),
    '',
  ];
  const balances = new Map<TestAccount, number>();
  for (const transaction of company.transactions) {
    const { id, date, type, number, party, memo } = transaction;
    const title = [clean(party), clean(memo) === '' ? type : clean(memo)].filter((part) => part !== '').join(' | ');
    lines.push(`${date} * (${number === '' ? id : number}) ${title}  ; txn:${id}, source:${type}`);
    for (const [index, line] of transaction.lines.entries()) {
      const balance = (balances.get(line.account) ?? 0) + line.amount;
      balances.set(line.account, balance);
      const whole = moneyText(line.amount, { parentheses: false, thousands: style.thousands });
      const amount = whole.startsWith('-') ? `$-${whole.slice(1)}` : `$${whole}`;
      const name = partyOf(line, transaction);
      const tag = name === '' ? '' : `  ; ${transaction.partyKind === 'vendor' ? 'vendor' : 'customer'}:${clean(name)}`;
      const assertion =
        id % 17 === 0 && index === 0 ? ` = $${moneyText(balance, { parentheses: false, thousands: false })}` : '';
      const isLast = id % 7 === 0 && index === transaction.lines.length - 1;
      lines.push(`    ${nameOf(line.account)}  ${isLast ? '' : amount}${assertion}${tag}`.trimEnd());
    }
    lines.push('');
  }
  return [
    {
      name: 'books.journal',
      bytes: encoded(lines.join('\n'), style.encoding === 'windows-1252' ? 'utf-8' : style.encoding),
    },
  ];
}

const LETTERS = { Asset: 'A', Liability: 'L', Equity: 'E', Income: 'R', Expense: 'X' } as const;

const byName = ({ name }: { name: string }): string => name;

/** The nine dialects of the same books. */
export const dialects: readonly Dialect[] = [
  { name: 'QuickBooks Online Journal before 2026', write: journalClassic, nameOf: byName, labelOf: byName },
  { name: 'QuickBooks Online Journal since 2026', write: journal2026, nameOf: byName, labelOf: byName },
  { name: 'QuickBooks Online General Ledger', write: generalLedger, nameOf: byName, labelOf: byName },
  { name: 'QuickBooks Desktop Transaction Detail', write: desktopDetail, nameOf: byName, labelOf: byName },
  { name: 'QuickBooks Desktop IIF', write: iif, nameOf: byName, labelOf: byName },
  { name: 'Wave', write: wave, nameOf: waveName, labelOf: byName },
  {
    name: 'Xero Journal',
    write: xeroJournal,
    nameOf: (account) => (isBank(account) ? leaf(account) : `${leaf(account)} (${account.number})`),
    labelOf: ({ name, number }) => (number === undefined ? name : `${name} (${number})`),
  },
  {
    name: 'Xero Account Transactions',
    write: xeroTransactions,
    nameOf: (account) => (isBank(account) ? leaf(account) : `${leaf(account)} (${account.number})`),
    labelOf: ({ name, number }) => (number === undefined ? name : `${name} (${number})`),
  },
  { name: 'hledger', write: hledger, nameOf: byName, labelOf: byName },
];
