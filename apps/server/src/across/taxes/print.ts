import type { TaxReturn } from '@evenkeel/contract/taxreturns';
import { formatDate, type IsoDate } from '@evenkeel/core/dates';
import { displayPercentage } from '@evenkeel/core/documents/salestax';
import { cents, decimal, ZERO } from '@evenkeel/core/money';
import type { Report } from '@evenkeel/core/reports/report';
import { returnRows } from '@evenkeel/core/taxes/summary';
import { getCompany } from '../../features/settings/company.ts';
import type { Ctx } from '../../platform/http/context.ts';
import type { Drawing } from '../../platform/http/route.ts';
import { moneyCell, plainReport, plainSection, textCell } from '../../platform/pdf/plain-report.ts';
import { printer } from '../../platform/pdf/printer.ts';
import { getTaxReturn } from './returns.ts';

/**
 * Returns a filed return as a PDF, which is drawn after the transaction ends. Throws 404 if the return does not exist.
 */
export async function printTaxReturn(ctx: Ctx, id: number): Promise<Drawing> {
  const [filed, company] = [await getTaxReturn(ctx, id), await getCompany(ctx, ctx.companyId)];
  const report = paperOf(filed, company.displayname);
  return async () => ({ name: filed.name, drawn: await printer.report(report) });
}

const day = (date: IsoDate | null): string => (date === null ? '' : formatDate(date));
const percent = (rate: string): string => displayPercentage(decimal(rate));

function paperOf(filed: TaxReturn, company: string): Report {
  const { basis, from, to, filedDate, filedBy, confirmation, changes } = filed;
  const heads = [
    company,
    filed.name,
    `${day(from)} – ${day(to)}`,
    basis === 'cash' ? 'Cash basis' : 'Accrual basis',
    `Filed ${day(filedDate)}${filedBy === null ? '' : ` by ${filedBy}`}`,
    ...(confirmation === '' ? [] : [`Confirmation ${confirmation}`]),
  ];
  const isChanged = changes.length > 0;
  const later = [
    ['Since Filing', true],
    ['Now', true],
  ] as const;
  const sections = [
    plainSection(
      'Return',
      [['Amount', false], ['As Filed', true], ...(isChanged ? later : [])],
      returnRows(filed).map(({ label, filed: amount, since = ZERO }) => [
        textCell(label),
        moneyCell(amount),
        ...(isChanged ? [moneyCell(since), moneyCell(cents(amount + since))] : []),
      ]),
    ),
    ...tablesOf(filed),
  ];
  return plainReport(filed.name, heads, sections);
}

/** Returns the tables below the amounts on a return. */
const tablesOf = (filed: TaxReturn) => [
  plainSection(
    'Tax by item',
    [
      ['Tax Item', false],
      ['Rate', false],
      ['Taxable', true],
      ['Tax', true],
    ],
    filed.items.map((item) => [
      textCell(item.label),
      textCell(item.rates.map(percent).join(', ')),
      moneyCell(cents(item.taxable + item.sinceTaxable)),
      moneyCell(cents(item.tax + item.sinceTax)),
    ]),
  ),
  plainSection(
    'Documents',
    [
      ['Document', false],
      ['Date', false],
      ['Customer', false],
      ['Taxable', true],
      ['Tax', true],
    ],
    filed.documents.map((row) => [
      textCell(row.number),
      textCell(day(row.date)),
      textCell(row.customer),
      moneyCell(cents(row.taxable + row.sinceTaxable)),
      moneyCell(cents(row.tax + row.sinceTax)),
    ]),
  ),
  ...sectionWithRows(
    'Bad debts',
    [
      ['Invoice', false],
      ['Date', false],
      ['Customer', false],
      ['Taxable', true],
      ['Tax', true],
      ['Written Off', true],
      ['Recovered', true],
      ['Credit', true],
    ],
    filed.badDebts.map((row) => [
      textCell(row.number),
      textCell(day(row.date)),
      textCell(row.customer),
      moneyCell(row.taxable),
      moneyCell(row.tax),
      moneyCell(row.writtenOff),
      moneyCell(row.recovered),
      moneyCell(row.credit),
    ]),
  ),
  ...sectionWithRows(
    'Payments',
    [
      ['Date', false],
      ['Type', false],
      ['Amount', true],
    ],
    filed.payments.map((payment) => [
      textCell(day(payment.paymentDate)),
      textCell(payment.returnId === null ? 'Prepayment' : 'Payment'),
      moneyCell(payment.amount),
    ]),
  ),
];

/** Returns a list with the section, or an empty list if the section has no rows. */
const sectionWithRows = (...[name, columns, rows]: Parameters<typeof plainSection>) =>
  rows.length === 0 ? [] : [plainSection(name, columns, rows)];
