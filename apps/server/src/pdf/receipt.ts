import { type Cents, formatAmount, formatUsd } from '@evenkeel/core/money';
import type { Content, TableCell, TDocumentDefinitions } from 'pdfmake/interfaces.js';
import {
  addressed,
  continued,
  headCell,
  INK,
  letterHead,
  type Letterhead,
  LINE,
  MARGIN,
  money,
  none,
  pageLine,
  RIGHT,
  textsIn,
} from './letter.ts';
import { drawPdf } from './pdf.ts';
import { LINE_HEIGHT, plain, Typesetter } from './typeset.ts';

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
  const definition: TDocumentDefinitions = {
    pageSize: 'LETTER',
    pageMargins: [MARGIN, MARGIN, MARGIN, MARGIN + 20],
    info: {
      title: `${TITLE} ${plain(paper.number)}`,
      author: plain(paper.company.name),
      creator: 'Evenkeel',
      producer: 'Evenkeel',
    },
    defaultStyle: { font: 'Roboto', fontSize: 9.5, lineHeight: LINE_HEIGHT, color: INK },
    header: (page) => (page === 1 ? null : continued(TITLE, name, type)),
    footer: (page, pages) => ({
      margin: [MARGIN, 20, MARGIN, 0],
      stack: [pageLine(paper.company.name, { page, pages }, type)],
    }),
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
  };
  return drawPdf(definition);
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
    layout: {
      hLineWidth: (line: number) => (line === 0 ? 0 : 0.75),
      hLineColor: (line: number) => (line === 1 || line === rows.length + 1 ? INK : LINE),
      vLineWidth: none,
      paddingLeft: none,
      paddingRight: none,
      paddingTop: () => 5,
      paddingBottom: () => 5,
    },
  };
}
