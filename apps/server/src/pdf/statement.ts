import { type Cents, formatAmount, formatUsd } from '@evenkeel/core/money';
import { reportKinds } from '@evenkeel/core/reports/kinds';
import type { Content, TableCell } from 'pdfmake/interfaces.js';
import {
  addressed,
  headCell,
  INK,
  letterHead,
  type Letterhead,
  letterOf,
  money,
  none,
  RIGHT,
  ruled,
  textsIn,
} from './letter.ts';
import { drawPdf } from './pdf.ts';
import { plain, Typesetter } from './typeset.ts';

/** A customer's account as a letter; texts are printed as they are, amounts are cents. */
export interface StatementPaper {
  company: Letterhead;
  /** Customer's name, then attention, street, place. */
  to: readonly string[];
  /** Such as "From" and "To", already written out. */
  facts: readonly { label: string; value: string }[];
  /** Date, type, number and due date; null is no amount. */
  lines: readonly { words: readonly string[]; amount: Cents | null; balance: Cents }[];
  balance: Cents;
  /** Open amounts by days past due. */
  ages: readonly { title: string; amount: Cents }[];
}

const { title: TITLE } = reportKinds.customerStatement;
const HEADS = ['Date', 'Type', 'No.', 'Due'];

/** The statement as a letter-size PDF: each page has the table's head and its number of the total. */
export async function statementPdf(paper: StatementPaper): Promise<Uint8Array> {
  const type = await Typesetter.for(textsIn(paper));
  const [name = ''] = paper.to;
  const { company } = paper;
  const parts = { title: `${TITLE} ${plain(name)}`, running: TITLE, to: name, company, type };
  return drawPdf(
    letterOf({
      ...parts,
      content: [
        letterHead(paper.company, TITLE, type),
        addressed(
          {
            label: 'To',
            to: paper.to,
            facts: paper.facts,
            due: { label: paper.balance < 0 ? 'Credit' : 'Amount due', text: formatUsd(paper.balance) },
          },
          type,
        ),
        account(paper, type),
        ageing(paper),
      ],
    }),
  );
}

function account({ lines, balance }: StatementPaper, type: Typesetter): Content {
  const heads = [
    ...HEADS.map((text) => headCell(text, 'left')),
    headCell('Amount', 'right'),
    headCell('Balance', 'right'),
  ];
  const rows = lines.map(({ words, amount, balance: left }): TableCell[] => [
    ...HEADS.map((_, at): TableCell => ({ text: type.set(words[at] ?? '', 30) })),
    { ...(amount === null ? { text: '' } : money(amount)), ...RIGHT },
    { ...money(left), ...RIGHT },
  ]);
  const last: TableCell[] = [
    { text: 'Balance', bold: true, colSpan: 5 },
    '',
    '',
    '',
    '',
    { ...money(balance, formatUsd(balance)), ...RIGHT, bold: true },
  ];
  return {
    table: {
      headerRows: 1,
      dontBreakRows: true,
      widths: [62, 'auto', '*', 62, 80, 80],
      body: [heads, ...rows, last],
    },
    layout: ruled(rows.length, 10),
  };
}

/** A strip of open amounts by days past due. */
function ageing({ ages }: StatementPaper): Content {
  return {
    margin: [0, 24, 0, 0],
    unbreakable: true,
    stack: [
      { text: 'Days past due', bold: true, margin: [0, 0, 0, 4] },
      {
        table: {
          widths: ages.map(() => '*'),
          body: [
            ages.map(({ title }) => headCell(title, 'right')),
            ages.map(({ amount }): TableCell => ({ ...money(amount, formatAmount(amount)), ...RIGHT })),
          ],
        },
        layout: {
          hLineWidth: (row: number) => (row === 1 ? 0.75 : 0),
          hLineColor: () => INK,
          vLineWidth: none,
          paddingLeft: none,
          paddingRight: none,
        },
      },
    ],
  };
}
