import type { BodyOf, ParamsOf } from '@evenkeel/contract/endpoint';
import type { ReportRequest } from '@evenkeel/contract/figures';
import type { Sending, sendingCalls, SentReport } from '@evenkeel/contract/sending';
import { notFound, present, refuse, refuseFields } from '@evenkeel/core/failure';
import { reportKind } from '@evenkeel/core/reports/kinds';
import { daysOf } from '@evenkeel/core/reports/report';
import { checkMail, mailWording } from '@evenkeel/core/words/mailtext';
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { COMPANY, type Runnable } from '../../platform/db/query.ts';
import { type RowOf, table } from '../../platform/db/table.ts';
import type { Ctx } from '../../platform/http/context.ts';
import type { Drawing, Preparing } from '../../platform/http/route.ts';
import { getCompany } from '../../features/settings/company.ts';
import { readPrintedReport } from '../reports/print.ts';
import { startReport } from '../reports/reports.ts';
import { type About, type MailRow, mails, senderSql } from './mails.sql.ts';
import type { Mailable } from './parcels.ts';
import { addressed, faultOfRoom, filesOf, mailRoom, queueMail, sendingView, withCopies } from './send.ts';

/** Emailed reports. The file that the recipients got is stored, so that it can be shown again byte for byte. */

const reports = table('sent_report', {
  id: 'id',
  reportId: 'report_id',
  params: 'params',
  title: 'title',
  facts: 'facts',
  knownAt: 'known_at',
  file: 'file',
  hash: 'hash',
}).typed<{ params: ReportRequest['reportParams'] }>();
type SentReportRow = RowOf<typeof reports>;

const WORDING = mailWording('report');

/** The largest PDF that can be emailed, in bytes. Many mail servers reject emails that are larger than about 20 MB. */
const MAX_FILE = 10 * 1_048_576;

const ABOUT: About = { kind: 'report', customerId: null, documentId: null, paymentId: null };

interface Told {
  title: string;
  /** The first line below the title, such as "As of May 26, 2026". */
  dates: string;
  file?: Buffer;
}

async function parcelOf(ctx: Ctx, { title, dates, file }: Told): Promise<Mailable> {
  const company = await getCompany(ctx);
  return {
    about: ABOUT,
    title,
    company,
    template: WORDING,
    linkLabel: '',
    values: { report: title, dates, company: company.displayname },
    draw: async () => present(file, 'file of a sent report'),
    linksTo: undefined,
    refusal: '',
    isSettled: false,
  };
}

/** Returns the report that an email was sent with. */
export async function sentReportParcel(ctx: Ctx, id: number): Promise<Mailable> {
  const { facts, ...report } = await ctx.tx.one(reports.find({ id }));
  return parcelOf(ctx, { ...report, dates: facts.split('\n', 1)[0] ?? '' });
}

/** Returns the preview of an email with a report. Throws 404, and the same errors as running the report. */
export async function reportSending(ctx: Ctx, reportId: number, request: ReportRequest): Promise<Sending> {
  const kind = reportKind(reportId);
  if (kind === undefined) throw notFound('Report');
  const { context } = await startReport(ctx, kind, request);
  return preview(ctx, reportId, { title: context.title, dates: daysOf(context) });
}

const preview = async (ctx: Ctx, reportId: number, told: Told): Promise<Sending> =>
  sendingView(ctx, await parcelOf(ctx, told), { id: reportId, to: [], earlier: selectMailsWith(reportId) });

/** A report that is drawn as a PDF, with the time of its data. */
interface Drawn extends Pick<SentReportRow, 'title' | 'facts' | 'knownAt'> {
  file: Uint8Array;
}

interface Emailed {
  params: ParamsOf<typeof sendingCalls.emailReport>;
  body: BodyOf<typeof sendingCalls.emailReport>;
}

/**
 * Draws the report before the transaction that stores it, in the company's turn for long tasks. Throws 422 for an
 * invalid email, and the same errors as running the report.
 */
export async function drawReport(preparing: Preparing, { params: { reportId }, body }: Emailed): Promise<Drawn> {
  refuseFields(checkMail('report', mailOf(body)));
  return preparing.services.pool.gates.long.pass(preparing, async () => {
    const { report, draw, knownAt } = await preparing.read(async (ctx) => {
      const [printed, { knownAt: at }] = await Promise.all([
        readPrintedReport(ctx, { reportId, request: body, as: 'report' }),
        ctx.tx.one(sql<{ knownAt: Date }>`select now() as "knownAt"`),
      ]);
      return { ...printed, knownAt: at };
    });
    const facts = report.reportHeaderItems.slice(2).map(({ headerText }) => headerText);
    return { title: report.title, facts: facts.join('\n'), knownAt, file: await draw() };
  });
}

const mailOf = ({ to, cc, subject, text }: Emailed['body']) => ({
  to: addressed(to),
  cc: addressed(cc ?? []),
  subject: subject ?? WORDING.subject,
  text: text ?? WORDING.text,
});

/**
 * Stores a report and queues the email with it, in one transaction. Throws 422 if the PDF or the attached files are too
 * large, and 429 above the daily limit on addresses.
 */
export async function emailReport(ctx: Ctx, { params: { reportId }, body }: Emailed, drawn: Drawn): Promise<Sending> {
  const { title, facts, knownAt } = drawn;
  const mail = mailOf(body);
  const file = Buffer.from(drawn.file);
  if (file.length > MAX_FILE) throw refuse('The report is larger than 10 MB. Choose a shorter period.');
  const [room, sender, links] = await Promise.all([
    mailRoom(ctx),
    ctx.tx.one(senderSql(ctx.userId)),
    filesOf(ctx, body),
  ]);
  const fault = faultOfRoom(room, mail);
  if (fault !== undefined) throw fault;
  const hash = createHash('sha256').update(file).digest();
  const row = { reportId, params: body.reportParams, title, facts, knownAt, file, hash };
  const { id } = await ctx.tx.one(reports.insert(row, ['id']));
  const range = { from: null, to: null };
  await queueMail(ctx, { ...ABOUT, sentReportId: id }, { ...mail, range, step: 1, sender, links });
  return preview(ctx, reportId, { title, dates: facts.split('\n', 1)[0] ?? '' });
}

/** The newest emailed reports that are listed. */
const MOST_LISTED = 500;

type Listed = MailRow & Pick<SentReportRow, 'reportId' | 'params' | 'title' | 'facts' | 'knownAt' | 'hash'>;

const selectSent = (): Runnable<Listed> => sql<Listed>`
  select ${mails.columns('m')}, ${reports.columns('r', ['reportId', 'params', 'title', 'facts', 'knownAt', 'hash'])}
  from sent_report r join mail m on m.company_id = ${COMPANY} and m.sent_report_id = r.id
  where r.company_id = ${COMPANY} order by r.id desc limit ${MOST_LISTED}`;

/** Returns the emails with a report, newest first and limited to the number that a panel shows. */
const selectMailsWith = (reportId: number): Runnable<MailRow> => sql<MailRow>`
  select ${mails.columns('m')} from sent_report r join mail m on m.company_id = ${COMPANY} and m.sent_report_id = r.id
  where r.company_id = ${COMPANY} and r.report_id = ${reportId} order by r.id desc limit 100`;

export async function listSentReports(ctx: Ctx): Promise<SentReport[]> {
  const rows = await ctx.tx.rows(selectSent());
  const shown = await withCopies(ctx.tx, rows);
  return rows.map(({ sentReportId, reportId, params, title, facts, knownAt, hash }, index) => ({
    id: present(sentReportId, 'sent report'),
    reportId,
    title,
    facts: facts.split('\n'),
    reportParams: params,
    knownAt: knownAt.toISOString(),
    hash: hash.toString('hex'),
    mail: present(shown[index], 'email of a sent report'),
  }));
}

/** Returns the file that was sent. Throws 404. */
export async function sentReportFile(ctx: Ctx, id: number): Promise<Drawing> {
  const row = await ctx.tx.row(reports.find({ id }));
  if (row === undefined) throw notFound('Sent report');
  return async () => ({ name: row.title, drawn: row.file });
}
