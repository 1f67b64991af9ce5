import { formatDate } from '@evenkeel/core/dates';
import type { Report } from '@evenkeel/core/reports/report';
import { boxOf, formName, formTitle, WITHHELD_BOX } from '@evenkeel/core/taxes/forms1099';
import type { TaxIdKind } from '@evenkeel/core/taxes/ids';
import type { Ctx } from '../../platform/http/context.ts';
import type { Drawing } from '../../platform/http/route.ts';
import { moneyCell, plainReport, plainSection, textCell } from '../../platform/pdf/plain-report.ts';
import { printer } from '../../platform/pdf/printer.ts';
import { shownForm } from './form-filing.ts';
import { filedForm, readPayer } from './forms.ts';
import { type FiledRow, taxIdPlaces } from './forms.sql.ts';
import { openedTaxId, writtenTaxId } from './vendor-tax.ts';

/**
 * Returns the recipient's copy of a filed form as a PDF, which is drawn after the transaction ends. The recipient's tax
 * ID is truncated (Treas. Reg. 301.6109-4), and the payer's tax ID is not. Throws 404 if the form does not exist.
 */
export async function printForm(ctx: Ctx, id: number): Promise<Drawing> {
  const { row, isLast } = await filedForm(ctx, id);
  const payer = await readPayer(ctx);
  const { taxIdBox, taxIdEnd, taxIdKind } = payer.row;
  // The company's tax ID may have changed since this form was filed. In that case, the new tax ID must not be printed,
  // and only the last digits of the filed tax ID are known.
  const isSame = taxIdBox !== null && taxIdEnd === row.snapshot.payer.taxIdEnd;
  const taxId = isSame
    ? writtenTaxId(openedTaxId(ctx, taxIdPlaces.payer(ctx.companyId), taxIdBox), taxIdKind)
    : truncatedTaxId({ taxIdKind: 'ein', taxIdEnd: row.snapshot.payer.taxIdEnd });
  const { name } = shownForm(row, isLast);
  const report = paperOf(row, taxId);
  return async () => ({ name, drawn: await printer.report(report) });
}

/** Returns a tax ID with its first five digits replaced by asterisks. */
const truncatedTaxId = ({ taxIdKind, taxIdEnd }: { taxIdKind: TaxIdKind; taxIdEnd: string }): string =>
  taxIdKind === 'ssn' ? `***-**-${taxIdEnd}` : `**-***${taxIdEnd}`;

function paperOf({ snapshot, form, year, version, withheld, filedDate }: FiledRow, payerTaxId: string): Report {
  const { payer, recipient, boxes } = snapshot;
  const parties = plainSection(
    'Payer and recipient',
    [
      ['', false],
      ["Payer's", false],
      ["Recipient's", false],
    ],
    [
      [textCell('Name'), textCell(payer.name), textCell(recipient.name)],
      [textCell('Address'), textCell(payer.lines.join(', ')), textCell(recipient.lines.join(', '))],
      [textCell('Tax ID'), textCell(payerTaxId), textCell(truncatedTaxId(recipient))],
      [textCell('Account number'), textCell(''), textCell(recipient.accountNumber)],
    ],
  );
  const amounts = plainSection(
    'Amounts',
    [
      ['Box', false],
      ['', false],
      ['Amount', true],
    ],
    [
      ...boxes.map(({ box, amount }) => {
        const { number, label } = boxOf(box);
        return { number, label, amount };
      }),
      { number: WITHHELD_BOX, label: 'Federal income tax withheld', amount: withheld },
    ]
      .toSorted((a, b) => a.number - b.number)
      .map(({ number, label, amount }) => [textCell(String(number)), textCell(label), moneyCell(amount)]),
  );
  return plainReport(
    formTitle(form),
    [
      payer.name,
      `${formTitle(form)}, calendar year ${year}`,
      version === 1 ? 'Copy B, for recipient' : 'Copy B, for recipient: CORRECTED',
      `Filed ${formatDate(filedDate)} · substitute for Form 1099-${formName(form)}`,
      'This is important tax information and is being furnished to the IRS.',
    ],
    [parties, amounts],
  );
}
