import { type Cents, formatAmount } from '@evenkeel/core/money';
import type { Content, CustomTableLayout, TableCell, TDocumentDefinitions } from 'pdfmake/interfaces.js';
import { type Picture, pictureContent, type RawPicture } from './picture.ts';
import { LINE_HEIGHT, plain, type Typesetter } from './typeset.ts';

export const INK = '#0f1720';
export const MUTED = '#56646f';
export const SOFT = '#35424c';
export const LINE = '#d9dfe4';
export const MARGIN = 48;
/** The width between the margins in points. */
export const FULL = 612 - 2 * MARGIN;

/** The company's name, followed by the lines below it (address, phone, and email). */
export interface Letterhead {
  name: string;
  lines: readonly string[];
  /** The logo above the name. */
  logo?: Picture | RawPicture;
}

export const none = (): number => 0;

/** Muted text above or next to an amount. */
export const small = (text: string): Content => ({ text, color: MUTED, fontSize: 8.5, margin: [0, 0, 0, 2] });

/** Returns the strings, each on its own line. */
export const stacked = (type: Typesetter, texts: readonly string[], color = INK): Content[] =>
  texts.map((text) => ({ text: type.set(text), color }));

/**
 * Returns a letterhead with the company on the left and the document type on the right. This module contains the layout
 * that customer documents share: letter size, letterhead, addresses, details, and amounts.
 */
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

/** The maximum size of the logo in points. */
const LOGO = { width: 180, height: 56 };

function logoOf(logo: Picture): Content {
  return { stack: [pictureContent(logo, LOGO)], margin: [0, 0, 0, 8] };
}

export interface Addressed {
  /** The heading of the address, such as "Bill to". */
  label: string;
  /** The customer's name, followed by the address lines (attention, street, and city). */
  to: readonly string[];
  facts: readonly { label: string; value: string; isBold?: boolean }[];
  /** The amount due, shown on the right. */
  due: { label: string; text: string };
}

/** Returns the recipient, the document's details, and the amount due. */
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

/** The closing parenthesis of a negative amount is outside the column, so that the digits align. */
export function money(
  amount: Cents,
  text = formatAmount(amount),
): { text: string; margin: [number, number, number, number] } {
  return { text, margin: [0, 0, amount < 0 ? -3.3 : 0, 0] };
}

export const HEAD = { color: MUTED, fontSize: 8.5 } as const;
export const RIGHT = { alignment: 'right', noWrap: true } as const;

/** Returns a cell for a table heading. */
export const headCell = (text: string, alignment: 'left' | 'right'): TableCell => {
  return { text, ...HEAD, alignment, noWrap: true };
};

/** Returns a user's text on one line, cut to `most` characters. */
export function short(text: string, most: number): string {
  const letters = [...plain(text).replaceAll('\n', ' ')];
  return letters.length > most ? `${letters.slice(0, most - 1).join('')}…` : letters.join('');
}

/** Returns the heading of continuation pages, which identifies the document. */
function continued(title: string, to: string, type: Typesetter): Content {
  const text = [title, short(to, 50)].join(' · ');
  return { text: type.set(text), color: MUTED, fontSize: 8.5, margin: [MARGIN, 26, MARGIN, 0], noWrap: true };
}

/** Returns short text to the left of the page number. */
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
  /** The title of the file. */
  title: string;
  /** The heading of continuation pages, next to the recipient's name. */
  running: string;
  to: string;
  company: Letterhead;
  type: Typesetter;
  content: Content[];
  /**
   * The footer, and the height reserved for it in points. The default footer is the company's name and the page number.
   */
  bottom?: number;
  foot?: (of: Page) => Content;
  /**
   * Set if a file has several letters. For a page of the file, returns the page number within its letter and the
   * recipient of that letter.
   */
  within?: (of: Page) => Page & { to: string };
}

interface Page {
  page: number;
  pages: number;
}

/** Returns a letter-size document with its margins, the heading of continuation pages, and its footer. */
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

/**
 * Returns thin lines between rows, which are darker below the heading and above the last row. `gap` is the space
 * between columns in points.
 */
export const ruled = (rows: number, gap = 0): CustomTableLayout => ({
  hLineWidth: (row) => (row === 0 ? 0 : 0.75),
  hLineColor: (row) => (row === 1 || row === rows + 1 ? INK : LINE),
  vLineWidth: none,
  paddingLeft: (column) => (column === 0 ? 0 : gap),
  paddingRight: none,
  paddingTop: () => 5,
  paddingBottom: () => 5,
});

/** Returns every string in a value. Images contain no strings. */
export function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (value instanceof Uint8Array) return [];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
