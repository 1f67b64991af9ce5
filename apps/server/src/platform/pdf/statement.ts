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
import { drawPdf, firstPages, type Start } from './pdf.ts';
import { plain, Typesetter } from './typeset.ts';

/** The content of a customer's statement. Text is printed unchanged, and amounts are in cents. */
export interface StatementPaper {
  company: Letterhead;
  /** The customer's name, followed by the address lines (attention, street, and city). */
  to: readonly string[];
  /** Formatted details with their labels, such as "From" and "To". */
  facts: readonly { label: string; value: string }[];
  /** The date, type, number, and due date. In a line without an amount, `amount` is null. */
  lines: readonly { words: readonly string[]; amount: Cents | null; balance: Cents }[];
  balance: Cents;
  /** Open amounts by days past due. */
  ages: readonly { title: string; amount: Cents }[];
}

const { title: TITLE } = reportKinds.customerStatement;
const HEADS = ['Date', 'Type', 'No.', 'Due'];

/**
 * Returns one or more statements as a PDF in letter size. Each statement begins on a new page, and each of its pages
 * has the table heading and its page number within the statement.
 */
export async function statementPdf(papers: readonly StatementPaper[]): Promise<Uint8Array> {
  const [first] = papers;
  if (first === undefined) throw new Error('no statement to create');
  const type = await Typesetter.for(textsIn(papers));
  const letters = papers.map((paper) => {
    const head: Start = letterHead(paper.company, TITLE, type);
    return { paper, head, content: [head, ...bodyOf(paper, type)] };
  });
  const nameOf = ({ to: [name = ''] }: StatementPaper): string => name;
  return drawPdf(
    letterOf({
      title: papers.length === 1 ? `${TITLE} ${plain(nameOf(first))}` : TITLE,
      running: TITLE,
      to: nameOf(first),
      company: first.company,
      type,
      content: letters.map(({ content: stack }, at) => (at === 0 ? { stack } : { stack, pageBreak: 'before' })),
      within: ({ page, pages }) => {
        const all = firstPages(letters.map(({ head }) => head));
        const at = all.findLastIndex((start) => start <= page);
        const [start = 1, next = pages + 1] = [all[at], all[at + 1]];
        return { page: page - start + 1, pages: next - start, to: nameOf(papers[at] ?? first) };
      },
    }),
  );
}

const bodyOf = (paper: StatementPaper, type: Typesetter): Content[] => [
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
];

function account({ lines, balance }: StatementPaper, type: Typesetter): Content {
  const heads = [
    ...HEADS.map((text) => headCell(text, 'left')),
    headCell('Amount', 'right'),
    headCell('Balance', 'right'),
  ];
  const rows = lines.map(({ words, amount, balance: left }): TableCell[] => [
    ...HEADS.map((_, at): TableCell => ({ text: type.set(words[at] ?? '', { longest: 30 }) })),
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

/** Returns a row of open amounts by days past due. */
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
