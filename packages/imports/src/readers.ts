import { beancount } from './beancount.ts';
import { desktopDetail, xeroJournal } from './detail.ts';
import { evenkeelExport } from './evenkeelExport.ts';
import { gnucash } from './gnucash.ts';
import { gnucashDatabase } from './gnucashDatabase.ts';
import { hledger } from './hledger.ts';
import { iif } from './iif.ts';
import { listReaders } from './lists.ts';
import { quickbooksJournal } from './quickbooksJournal.ts';
import type { Reader } from './reader.ts';
import { quickbooksLedger, xeroTransactions } from './sectionReports.ts';
import { processorReaders } from './processors.ts';
import { spreadsheet } from './spreadsheets.ts';
import { wave } from './wave.ts';
import { xeroInvoices } from './xeroDocuments.ts';

/** The readers for all formats. The first reader that recognizes a file reads it, so specific formats come first. */
export const readers: readonly Reader[] = [
  iif,
  gnucashDatabase,
  gnucash,
  beancount,
  hledger,
  evenkeelExport,
  wave,
  xeroInvoices,
  xeroTransactions,
  quickbooksLedger,
  xeroJournal,
  desktopDetail,
  ...listReaders,
  quickbooksJournal,
  ...processorReaders,
  spreadsheet,
];
