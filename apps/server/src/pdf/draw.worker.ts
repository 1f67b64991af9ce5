/** What draws in a thread of its own: pdf/printer.ts calls these by name and gets their answer as a message. */
import { type InvoicePaper, invoicePdf } from './invoice.ts';
import { drawPdf } from './pdf.ts';
import { type ReportPaper, reportPdf } from './report.ts';
import { statementPdf, type StatementPaper } from './statement.ts';
import { reportWorkbook } from './workbook.ts';

export async function invoice(paper: InvoicePaper): Promise<Uint8Array> {
  // A message carries the whole memory behind its bytes: a copy has none but its own.
  return new Uint8Array(await invoicePdf(paper));
}

export async function report(paper: ReportPaper): Promise<Uint8Array> {
  return new Uint8Array(await reportPdf(paper));
}

export async function statement(paper: StatementPaper): Promise<Uint8Array> {
  return new Uint8Array(await statementPdf(paper));
}

export function workbook(paper: ReportPaper): Uint8Array {
  return new Uint8Array(reportWorkbook(paper));
}

export function warm(): Promise<Uint8Array> {
  return drawPdf({ content: [{ text: '0123456789', bold: true }, 'Evenkeel'] });
}
