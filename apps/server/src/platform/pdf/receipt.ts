import { type Cents, formatAmount, formatUsd } from '@evenkeel/core/money';
import type { Content, TableCell } from 'pdfmake/interfaces.js';
import { addressed, headCell, letterHead, type Letterhead, letterOf, money, RIGHT, ruled, textsIn } from './letter.ts';
import { drawPdf } from './pdf.ts';
import { plain, Typesetter } from './typeset.ts';

/** The content of a receipt for a payment or refund. Text is printed unchanged, and amounts are in cents. */
export interface ReceiptPaper {
  company: Letterhead;
  /** The customer's name, followed by the address lines (attention, street, and city). */
  from: readonly string[];
  number: string;
  facts: readonly { label: string; value: string }[];
  amount: Cents;
  /** The documents that the payment was applied to, such as "Invoice 10436", with the applied amounts. */
  paid: readonly { text: string; amount: Cents }[];
  /** The unapplied amount. */
  credit: Cents;
  /** Whether the money went to the customer. The amounts are positive in either case. */
  isRefund?: boolean;
}

/** Returns the labels for a payment or a refund. */
const words = (isRefund: boolean) =>
  isRefund
    ? { title: 'Refund', to: 'Refunded to', amount: 'Amount refunded', shares: 'Refunded from' }
    : { title: 'Receipt', to: 'Received from', amount: 'Amount received', shares: 'Paid' };

/** Returns the receipt as a PDF in letter size. */
export async function receiptPdf(paper: ReceiptPaper): Promise<Uint8Array> {
  const type = await Typesetter.for(textsIn(paper));
  const [name = ''] = paper.from;
  const { company } = paper;
  const said = words(paper.isRefund === true);
  const parts = { title: `${said.title} ${plain(paper.number)}`, running: said.title, to: name, company, type };
  return drawPdf(
    letterOf({
      ...parts,
      content: [
        letterHead(paper.company, said.title, type),
        addressed(
          {
            label: said.to,
            to: paper.from,
            facts: paper.facts,
            due: { label: said.amount, text: formatUsd(paper.amount) },
          },
          type,
        ),
        shares(paper, type),
      ],
    }),
  );
}

function shares({ paid, credit, amount, isRefund = false }: ReceiptPaper, type: Typesetter): Content {
  const row = (text: string, value: Cents): TableCell[] => [{ text: type.set(text) }, { ...money(value), ...RIGHT }];
  const rows = [
    ...paid.map((share) => row(share.text, share.amount)),
    ...(credit === 0 ? [] : [row('Remaining credit', credit)]),
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
      body: [[headCell(words(isRefund).shares, 'left'), headCell('Amount', 'right')], ...rows, last],
    },
    layout: ruled(rows.length),
  };
}
