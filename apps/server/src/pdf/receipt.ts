import { type Cents, formatAmount, formatUsd } from '@evenkeel/core/money';
import type { Content, TableCell } from 'pdfmake/interfaces.js';
import { addressed, headCell, letterHead, type Letterhead, letterOf, money, RIGHT, ruled, textsIn } from './letter.ts';
import { drawPdf } from './pdf.ts';
import { plain, Typesetter } from './typeset.ts';

/** A payment as its customer gets it confirmed; texts are printed as they are, amounts are cents. */
export interface ReceiptPaper {
  company: Letterhead;
  /** Customer's name, then attention, street, place. */
  from: readonly string[];
  number: string;
  facts: readonly { label: string; value: string }[];
  amount: Cents;
  /** The documents that it paid, such as "Invoice 10436", each with its share. */
  paid: readonly { text: string; amount: Cents }[];
  /** The rest that no document took. */
  credit: Cents;
}

const TITLE = 'Receipt';

/** The receipt as a letter-size PDF. */
export async function receiptPdf(paper: ReceiptPaper): Promise<Uint8Array> {
  const type = await Typesetter.for(textsIn(paper));
  const [name = ''] = paper.from;
  const { company } = paper;
  const parts = { title: `${TITLE} ${plain(paper.number)}`, running: TITLE, to: name, company, type };
  return drawPdf(
    letterOf({
      ...parts,
      content: [
        letterHead(paper.company, TITLE, type),
        addressed(
          {
            label: 'Received from',
            to: paper.from,
            facts: paper.facts,
            due: { label: 'Amount received', text: formatUsd(paper.amount) },
          },
          type,
        ),
        shares(paper, type),
      ],
    }),
  );
}

function shares({ paid, credit, amount }: ReceiptPaper, type: Typesetter): Content {
  const row = (text: string, value: Cents): TableCell[] => [{ text: type.set(text) }, { ...money(value), ...RIGHT }];
  const rows = [
    ...paid.map((share) => row(share.text, share.amount)),
    ...(credit === 0 ? [] : [row('Kept as credit', credit)]),
  ];
  const last: TableCell[] = [
    { text: 'Total', bold: true },
    { ...money(amount, formatAmount(amount)), ...RIGHT, bold: true },
  ];
  return {
    table: {
      headerRows: 1,
      dontBreakRows: true,
      widths: ['*', 100],
      body: [[headCell('Paid', 'left'), headCell('Amount', 'right')], ...rows, last],
    },
    layout: ruled(rows.length),
  };
}
