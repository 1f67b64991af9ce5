import { receiptCalls } from '@evenkeel/contract/billing';
import { formCalls } from '@evenkeel/contract/forms1099';
import { sendingCalls as calls } from '@evenkeel/contract/sending';
import { mailKindOf } from '@evenkeel/core/words/mailtext';
import { sentDocuments } from '../../features/billing/sent-documents.ts';
import { commandRoute, preparedRoute, type Route, route } from '../../platform/http/route.ts';
import { saveSendingSettings, sendingSettings } from '../../features/settings/sending.ts';
import { recordWithdrawal, requestConsent, sendCopies } from './form-copies.ts';
import { renewLink, renewPortal, revokeLinks, revokePortal, revokeRecipient } from './links.ts';
import { dismissMail, refusedMail } from './refused.ts';
import { leaveOut, reminders, saveReminders } from './reminders.ts';
import { cancelMail, resultOf, send, sendingOf } from './send.ts';
import { drawReport, emailReport, listSentReports, reportSending, sentReportFile } from './sent-reports.ts';

export const sendingRoutes: Route[] = [
  ...sentDocuments.map(({ kind, calls: { sending } }) =>
    route(sending, (ctx, { params }) => sendingOf(ctx, { kind: mailKindOf(kind), id: params.id })),
  ),
  route(receiptCalls.sending, (ctx, { params }) => sendingOf(ctx, { kind: 'receipt', id: params.id })),
  route(calls.statementSending, (ctx, { params: { customerId }, query: { startdate = null, reportdate = null } }) =>
    sendingOf(ctx, { kind: 'statement', id: customerId, range: { from: startdate, to: reportdate } }),
  ),
  route(calls.portalSending, (ctx, { params }) => sendingOf(ctx, { kind: 'portal', id: params.customerId })),
  route(calls.reminderSending, (ctx, { params }) => sendingOf(ctx, { kind: 'reminder', id: params.id })),
  route(calls.reportSending, (ctx, { params, body }) => reportSending(ctx, params.reportId, body)),
  preparedRoute(calls.emailReport, drawReport, emailReport),
  route(calls.listSentReports, listSentReports),
  route(calls.sentReportFile, (ctx, { params }) => sentReportFile(ctx, params.id)),
  commandRoute(calls.send, { create: send, told: resultOf }),
  route(calls.cancelMail, (ctx, { params }) => cancelMail(ctx, params.id)),
  route(calls.refusedMail, refusedMail),
  route(calls.dismissMail, (ctx, { params }) => dismissMail(ctx, params.id)),
  route(calls.renewLink, (ctx, { params }) => renewLink(ctx, params.documentId)),
  route(calls.revokeLink, (ctx, { params }) => revokeLinks(ctx, params.documentId)),
  route(calls.renewPortalLink, (ctx, { params }) => renewPortal(ctx, params.customerId)),
  route(calls.revokePortalLink, (ctx, { params }) => revokePortal(ctx, params.customerId)),
  route(formCalls.requestConsent, (ctx, { body }) => requestConsent(ctx, body)),
  route(formCalls.withdrawConsent, (ctx, { params }) => recordWithdrawal(ctx, params.id)),
  route(formCalls.revokeFormLinks, (ctx, { params }) => revokeRecipient(ctx, params.id)),
  route(formCalls.sendCopies, (ctx, { body }) => sendCopies(ctx, body)),
  route(calls.getReminders, reminders),
  route(calls.saveReminders, (ctx, { body }) => saveReminders(ctx, body)),
  route(calls.leaveOutOfReminders, (ctx, { params, body }) => leaveOut(ctx, params.customerId, body.leftOut)),
  route(calls.getSendingSettings, (ctx) => sendingSettings(ctx)),
  route(calls.saveSendingSettings, (ctx, { body }) => saveSendingSettings(ctx, body)),
];
