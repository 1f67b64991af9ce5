import { type Cents, formatAmount } from '@evenkeel/core/money';
import type { Content, CustomTableLayout, TableCell, TDocumentDefinitions } from 'pdfmake/interfaces.js';
import { type Picture, pictureContent, type RawPicture } from './picture.ts';
import { LINE_HEIGHT, plain, type Typesetter } from './typeset.ts';

/** Shared by the papers that go to a customer: letter size, the company's head, addresses with a few facts, figures. */

export const INK = '#0f1720';
export const MUTED = '#56646f';
export const SOFT = '#35424c';
export const LINE = '#d9dfe4';
export const MARGIN = 48;
/** Points between the margins. */
export const FULL = 612 - 2 * MARGIN;

/** Name, then the lines below it (address; phone and e-mail). */
export interface Letterhead {
  name: string;
  lines: readonly string[];
  /** Above the name. */
  logo?: Picture | RawPicture;
}

export const none = (): number => 0;

/** Quiet words above or beside a figure. */
export const small = (text: string): Content => ({ text, color: MUTED, fontSize: 8.5, margin: [0, 0, 0, 2] });

/** Texts below one another. */
export const stacked = (type: Typesetter, texts: readonly string[], color = INK): Content[] =>
  texts.map((text) => ({ text: type.set(text), color }));

/** The company at the left, what the paper is at the right. */
export function letterHead(company: Letterhead, title: string, type: Typesetter): Content {
  const name = { text: type.set(company.name), bold: true, fontSize: 12 };
  const logo = company.logo === undefined ? [] : [logoOf(company.logo)];
  return {
    columns: [
      { width: '*', stack: [...logo, name, ...stacked(type, company.lines, SOFT)] },
      { width: 'auto', text: title, bold: true, fontSize: 20, lineHeight: 1, margin: [16, 0, 0, 0] },
    ],
  };
}

/** Points. */
const LOGO = { width: 180, height: 56 };

function logoOf(logo: Picture): Content {
  return { stack: [pictureContent(logo, LOGO)], margin: [0, 0, 0, 8] };
}

export interface Addressed {
  /** Above the address, such as "Bill to". */
  label: string;
  /** Customer's name, then attention, street, place. */
  to: readonly string[];
  facts: readonly { label: string; value: string; isBold?: boolean }[];
  /** The amount due, at the right. */
  due: { label: string; text: string };
}

/** Whom it goes to, the paper's facts, and what is due. */
export function addressed({ label, to, facts, due }: Addressed, type: Typesetter): Content {
  const rows = facts.map((fact): TableCell[] => [
    { text: fact.label, color: MUTED, noWrap: true },
    { text: fact.value, bold: fact.isBold === true, noWrap: true },
  ]);
  return {
    margin: [0, 28, 0, 28],
    columnGap: 16,
    columns: [
      { width: '*', stack: [small(label), ...stacked(type, to)] },
      { width: 'auto', table: { widths: ['auto', 'auto'], body: rows }, layout: factLayout },
      {
        width: '*',
        alignment: 'right',
        stack: [small(due.label), { text: due.text, bold: true, fontSize: 16, lineHeight: 1 }],
      },
    ],
  };
}

const factLayout = {
  hLineWidth: none,
  vLineWidth: none,
  paddingTop: none,
  paddingBottom: none,
  paddingLeft: none,
  paddingRight: (): number => 10,
};

/** The closing parenthesis of a negative amount hangs outside, so that digits stay in line. */
export function money(
  amount: Cents,
  text = formatAmount(amount),
): { text: string; margin: [number, number, number, number] } {
  return { text, margin: [0, 0, amount < 0 ? -3.3 : 0, 0] };
}

export const HEAD = { color: MUTED, fontSize: 8.5 } as const;
export const RIGHT = { alignment: 'right', noWrap: true } as const;

/** A cell of a table's head. */
export const headCell = (text: string, alignment: 'left' | 'right'): TableCell => {
  return { text, ...HEAD, alignment, noWrap: true };
};

/** One line of a person's text, at most `most` letters. */
export function short(text: string, most: number): string {
  const letters = [...plain(text).replaceAll('\n', ' ')];
  return letters.length > most ? `${letters.slice(0, most - 1).join('')}…` : letters.join('');
}

/** At the head of each further page: which paper this is. */
function continued(title: string, to: string, type: Typesetter): Content {
  const text = [title, short(to, 50)].join(' · ');
  return { text: type.set(text), color: MUTED, fontSize: 8.5, margin: [MARGIN, 26, MARGIN, 0], noWrap: true };
}

/** A few words at the left of the page's number. */
export function pageLine(words: string, { page, pages }: Page, type: Typesetter): Content {
  return {
    color: MUTED,
    fontSize: 8.5,
    columns: [
      { width: '*', text: type.set(short(words, 90)) },
      { width: 'auto', text: `${page}/${pages}` },
    ],
  };
}

interface Letter {
  /** The file's title. */
  title: string;
  /** Words at the head of each further page, beside the name of whom it goes to. */
  running: string;
  to: string;
  company: Letterhead;
  type: Typesetter;
  content: Content[];
  /** Points kept for the foot, and the foot; by default the company's name and the page. */
  bottom?: number;
  foot?: (of: Page) => Content;
  /** Given for several letters in one file: the place of a page of the file in its own letter, and whom that is to. */
  within?: (of: Page) => Page & { to: string };
}

interface Page {
  page: number;
  pages: number;
}

/** A letter-size paper with its margins, the head of further pages and its foot. */
export function letterOf(letter: Letter): TDocumentDefinitions {
  const { title, running, to, company, type, content, bottom, foot } = letter;
  const { within = (of: Page) => ({ ...of, to }) } = letter;
  const plainFoot: NonNullable<Letter['foot']> = (of) => ({
    margin: [MARGIN, 20, MARGIN, 0],
    stack: [pageLine(company.name, of, type)],
  });
  return {
    pageSize: 'LETTER',
    pageMargins: [MARGIN, MARGIN, MARGIN, bottom ?? MARGIN + 20],
    info: { title, author: plain(company.name), creator: 'Evenkeel', producer: 'Evenkeel' },
    defaultStyle: { font: 'Roboto', fontSize: 9.5, lineHeight: LINE_HEIGHT, color: INK },
    header: (page, pages) => {
      const own = within({ page, pages });
      return own.page === 1 ? null : continued(running, own.to, type);
    },
    footer: (page, pages) => (foot ?? plainFoot)(within({ page, pages })),
    content,
  };
}

/** Hairlines between rows, darker below the head and above the last row; points between columns. */
export const ruled = (rows: number, gap = 0): CustomTableLayout => ({
  hLineWidth: (row) => (row === 0 ? 0 : 0.75),
  hLineColor: (row) => (row === 1 || row === rows + 1 ? INK : LINE),
  vLineWidth: none,
  paddingLeft: (column) => (column === 0 ? 0 : gap),
  paddingRight: none,
  paddingTop: () => 5,
  paddingBottom: () => 5,
});

/** Every text in a value; a picture has none. */
export function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (value instanceof Uint8Array) return [];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
