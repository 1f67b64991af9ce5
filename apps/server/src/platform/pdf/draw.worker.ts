/** Draws PDF documents in a worker thread. `platform/pdf/printer.ts` calls these functions by name. */
import { setPriority } from 'node:os';
import { pageRows } from '@evenkeel/core/reports/page';
import type { Report } from '@evenkeel/core/reports/report';
import { type InvoicePaper, invoicePdf } from './invoice.ts';
import { drawPdf } from './pdf.ts';
import type { Picture } from './picture.ts';
import type { JsonParts } from './printer.ts';
import { type ReportPaper, reportPdf } from './report.ts';
import { type ReceiptPaper, receiptPdf } from './receipt.ts';
import { statementPdf, type StatementPaper } from './statement.ts';
import { reportWorkbook } from './workbook.ts';

// On Linux, each thread has a priority. Lowering it leaves the processor to threads that respond to requests.
if (process.platform === 'linux') setPriority(5);

export async function invoice(paper: InvoicePaper): Promise<Uint8Array> {
  // Sending a message transfers the whole memory block that contains its bytes, so the bytes are first copied to
  // separate memory.
  return new Uint8Array(await invoicePdf(paper));
}

export async function report({ json, logo }: ReportOrder): Promise<Uint8Array> {
  const paper = paperOf(json);
  return new Uint8Array(await reportPdf(logo === undefined ? paper : { ...paper, logo }));
}

export async function reports([first, ...more]: readonly [JsonParts, ...JsonParts[]]): Promise<Uint8Array> {
  return new Uint8Array(await reportPdf(paperOf(first), ...more.map(paperOf)));
}

export async function receipt(paper: ReceiptPaper): Promise<Uint8Array> {
  return new Uint8Array(await receiptPdf(paper));
}

export async function statement(papers: readonly StatementPaper[]): Promise<Uint8Array> {
  return new Uint8Array(await statementPdf(papers));
}

export function workbook({ json }: ReportOrder): Uint8Array {
  return new Uint8Array(reportWorkbook(paperOf(json)));
}

interface ReportOrder {
  json: JsonParts;
  logo?: Picture | undefined;
}

function paperOf(json: JsonParts): ReportPaper {
  const report: Report = JSON.parse(Buffer.concat(json).toString());
  const head = report.reportHeaderItems.map(({ headerText }) => headerText);
  return { title: report.title, head, rows: pageRows(report) };
}

export function warm(): Promise<Uint8Array> {
  return drawPdf({ content: [{ text: '0123456789', bold: true }, 'Evenkeel'] });
}
