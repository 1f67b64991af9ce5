import { type Cents, cents } from '@evenkeel/core/money';
import { refusalAt, type SourceDocument } from './books.ts';
import { amountIn, Dates, shown } from './cells.ts';
import { FILTERED } from './entries.ts';
import type { OpenFile, Reader } from './reader.ts';
import { cellOf, type Headings, type Report, reportIn } from './report.ts';
import type { Row } from './table.ts';
import { grouped } from './grouped.ts';

const HEADINGS = {
  contact: ['contactname', 'contact name'],
  number: ['invoicenumber', 'invoice number'],
  date: ['invoicedate', 'invoice date'],
  due: ['duedate', 'due date'],
  total: ['total', 'invoiceamount'],
  paid: ['invoiceamountpaid', 'paid'],
  open: ['invoiceamountdue', 'due'],
  memo: ['description'],
  item: ['inventoryitemcode'],
  lineAmount: ['lineamount'],
  taxAmount: ['taxamount'],
  account: ['accountcode'],
  type: ['type'],
  status: ['status'],
  currency: ['currency'],
} satisfies Headings<string>;
type Key = keyof typeof HEADINGS;

const reportOf = (file: OpenFile): Report<Key> | undefined =>
  reportIn(file.table(), HEADINGS, ['contact', 'number', 'date', 'lineAmount']);

const isBill = (text: string): boolean => /bill|payable/i.test(text);

/** Reads Xero's export of sales invoices or bills, which has a row for each line item. */
export const xeroInvoices: Reader = {
  format: 'xero-invoices',
  label: 'Xero Invoices or Bills',
  system: 'Xero',
  recognizes: (file) => reportOf(file) !== undefined,
  read: (file, choices) => {
    const report = reportOf(file);
    if (report === undefined)
      throw refusalAt(file.name, 'The file must have columns for the contact, number, date, and line amount');
    const dates = new Dates(file.name, choices.dateOrder?.[file.name]);
    for (const row of report.rows) {
      for (const key of ['date', 'due'] as const) {
        const text = cellOf(report, row, key);
        if (text !== '') dates.add(text, { file: file.name, row: row.row });
      }
    }
    dates.decide();
    const groups = grouped(report.rows, (row) =>
      // Two contacts may have invoices with the same number.
      JSON.stringify((['contact', 'number', 'date', 'type'] as const).map((key) => cellOf(report, row, key))),
    );
    const documents = [...groups.values()].flatMap((rows) => documentOf(report, rows, dates) ?? []);
    return { documents, questions: dates.question === undefined ? [] : [dates.question] };
  },
};

function documentOf(report: Report<Key>, rows: readonly Row[], dates: Dates): SourceDocument | undefined {
  const [first] = rows;
  if (first === undefined) return undefined;
  const place = { file: report.file, row: first.row };
  const text = (key: Key): string => cellOf(report, first, key);
  const currency = text('currency');
  if (currency !== '' && currency !== 'USD')
    throw refusalAt(place, `The invoice is in ${currency}. Only US dollars can be imported.`);
  if (/^(draft|voided|deleted|submitted)$/i.test(text('status'))) return undefined;
  const lines = rows.map((row) => {
    const at = { file: report.file, row: row.row };
    const [net, tax] = (['lineAmount', 'taxAmount'] as const).map((key) => amountIn(cellOf(report, row, key), at) ?? 0);
    const [account, item, memo] = (['account', 'item', 'memo'] as const).map((key) => cellOf(report, row, key));
    return {
      ...(account === undefined || account === '' ? {} : { account }),
      ...(item === undefined || item === '' ? {} : { item }),
      ...(memo === undefined || memo === '' ? {} : { memo }),
      amount: cents(net ?? 0),
      tax: tax ?? 0,
    };
  });
  const total = amountIn(text('total'), place);
  const net = lines.reduce((sum, { amount }) => sum + amount, 0);
  const gross = net + lines.reduce((sum, { tax }) => sum + tax, 0);
  if (total !== undefined && total !== gross && total !== net) {
    throw refusalAt(
      place,
      `The total of invoice ${text('number')} is ${shown(total)}, but its rows add up to ` +
        `${shown(cents(gross))}. ${FILTERED}`,
      rows.map(({ row }) => row),
    );
  }
  const paid = amountIn(text('paid'), place) ?? 0;
  const due: Cents = amountIn(text('open'), place) ?? cents((total ?? gross) - paid);
  if (total !== undefined && text('open') !== '' && text('paid') !== '' && total - paid !== due) {
    throw refusalAt(
      place,
      `The amount due is ${shown(due)}, but the total less payments is ${shown(cents(total - paid))}. ${FILTERED}`,
    );
  }
  if (due === 0) return undefined;
  const isCredit = due < 0 || /credit/i.test(text('type'));
  const bill = isBill(text('type')) || isBill(report.file);
  const kind = bill ? (isCredit ? 'vendorCredit' : 'bill') : isCredit ? 'creditMemo' : 'invoice';
  return {
    kind,
    ...(text('number') === '' ? {} : { number: text('number') }),
    date: dates.dateIn(text('date'), place),
    ...(text('due') === '' ? {} : { dueDate: dates.dateIn(text('due'), place) }),
    party: text('contact'),
    open: cents(Math.abs(due)),
    ...(total === undefined ? {} : { total: cents(Math.abs(total)) }),
    lines: lines.map(({ tax: _tax, ...line }) => line),
    place,
  };
}
