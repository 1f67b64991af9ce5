import { bankingCalls as calls } from '@evenkeel/contract/banking';
import { reconciliationCalls } from '@evenkeel/contract/reconciliation';
import { removeRecord, saveRecord, updateRecord } from '../../platform/db/records.ts';
import { statementCalls } from '@evenkeel/contract/statements';
import { transferCalls } from '@evenkeel/contract/transfers';
import { isTrue } from '@evenkeel/contract/endpoint';
import { commandRoute, preparedRoute, type Route, route } from '../../platform/http/route.ts';
import {
  availableGlAccounts,
  createBankingAccount,
  deleteBankingAccount,
  getBankingAccount,
  listBankingAccounts,
  reconciledAccounts,
  updateBankingAccount,
} from './accounts.ts';
import { deposits, listDeposits, listUndeposited } from './deposits.ts';
import { deleteProgress, getProgress, saveReconciliationDraft } from './progress.ts';
import { printReconciliationReport, runReconciliationReport } from './reconciliation-report.ts';
import {
  createReconciliation,
  deleteReconciliation,
  getReconciliation,
  listReconciliations,
  unreconciledEntries,
} from './reconciliations.ts';
import { listPaymentTypes, paymentTypes } from './payment-types.ts';
import { acceptBankLines, actOnBankLine } from './dealings.ts';
import { previewStatement, readFor, recognizedAccount } from './import.ts';
import { bankLineCandidates, getBankLine, listBankLines } from './lines.ts';
import { listBankRules, rehearseBankRule, removeBankRule, saveBankRule, updateBankRule } from './rules.ts';
import { listStatements, removeStatement, reviewAccounts, saveStatement, statementContents } from './statements.ts';
import { listTransfers, transfers } from './transfers.ts';

export const bankingRoutes: Route[] = [
  route(calls.listBankingAccounts, (ctx, { query }) => listBankingAccounts(ctx, isTrue(query.inactive))),
  route(calls.reconciledAccounts, (ctx) => reconciledAccounts(ctx)),
  route(calls.createBankingAccount, (ctx, { body }) => createBankingAccount(ctx, body), {
    save: (ctx, { body }, id) => updateBankingAccount(ctx, id, body),
  }),
  route(calls.updateBankingAccount, (ctx, { params, body }) => updateBankingAccount(ctx, params.id, body)),
  route(calls.deleteBankingAccount, (ctx, { params }) => deleteBankingAccount(ctx, params.id)),
  route(calls.getBankingAccount, (ctx, { params }) => getBankingAccount(ctx, params.id)),
  route(calls.availableGlAccounts, (ctx, { params }) => availableGlAccounts(ctx, params.accountIdInUse)),
  route(reconciliationCalls.unreconciledEntries, (ctx, { params, query }) =>
    unreconciledEntries(ctx, params.glAccountId, query.statementDate),
  ),
  route(reconciliationCalls.listReconciliations, (ctx, { params }) => listReconciliations(ctx, params.bankAccountId)),
  route(reconciliationCalls.getReconciliation, (ctx, { params }) => getReconciliation(ctx, params.id)),
  route(reconciliationCalls.createReconciliation, (ctx, { body }) => createReconciliation(ctx, body)),
  route(reconciliationCalls.deleteReconciliation, (ctx, { params, query }) =>
    deleteReconciliation(ctx, params.id, query.closingOverrideReason),
  ),
  route(reconciliationCalls.reconciliationReport, (ctx, { params }) => runReconciliationReport(ctx, params.id)),
  route(reconciliationCalls.reconciliationReportPdf, (ctx, { params }) => printReconciliationReport(ctx, params.id)),
  route(reconciliationCalls.getReconciliationProgress, (ctx, { params }) => getProgress(ctx, params.bankAccountId)),
  route(reconciliationCalls.saveReconciliationProgress, (ctx, { params, body }) =>
    saveReconciliationDraft(ctx, params.bankAccountId, body),
  ),
  route(reconciliationCalls.deleteReconciliationProgress, (ctx, { params, query }) =>
    deleteProgress(ctx, params.bankAccountId, query.rowVersion),
  ),
  route(calls.listPaymentTypes, (ctx, { query }) => listPaymentTypes(ctx, isTrue(query.inactive))),
  route(calls.createPaymentType, (ctx, { body }) => saveRecord(ctx, paymentTypes, body)),
  route(calls.updatePaymentType, (ctx, { params, body }) =>
    updateRecord(ctx, paymentTypes, { ...body, id: params.id }),
  ),
  route(calls.deletePaymentType, (ctx, { params }) => removeRecord(ctx, paymentTypes, params.id)),
  route(transferCalls.listTransfers, (ctx, { query }) => listTransfers(ctx, query)),
  route(transferCalls.getTransfer, (ctx, { params }) => transfers.get(ctx, params.id)),
  commandRoute(transferCalls.createTransfer, {
    creation: transfers.creation,
    save: (ctx, { body }) => transfers.update(ctx, body),
  }),
  route(transferCalls.updateTransfer, (ctx, { body }) => transfers.update(ctx, body)),
  route(transferCalls.deleteTransfer, (ctx, { params, query }) =>
    transfers.remove(ctx, params.id, query.closingOverrideReason),
  ),
  route(transferCalls.listDeposits, (ctx, { query }) => listDeposits(ctx, query)),
  route(transferCalls.getDeposit, (ctx, { params }) => deposits.get(ctx, params.id)),
  commandRoute(transferCalls.createDeposit, {
    creation: deposits.creation,
    save: (ctx, { body }) => deposits.update(ctx, body),
  }),
  route(transferCalls.updateDeposit, (ctx, { body }) => deposits.update(ctx, body)),
  route(transferCalls.deleteDeposit, (ctx, { params, query }) =>
    deposits.remove(ctx, params.id, query.closingOverrideReason),
  ),
  route(transferCalls.listUndeposited, (ctx) => listUndeposited(ctx)),
  preparedRoute(
    statementCalls.previewStatement,
    (preparing, { body }) => readFor(preparing, body),
    (ctx, { body }, read) => previewStatement(ctx, body, read),
  ),
  preparedRoute(
    statementCalls.recognizeAccount,
    (preparing, { body }) => recognizedAccount(preparing, body.documentId),
    async (_, __, bankAccountId) => ({ bankAccountId }),
  ),
  preparedRoute(
    statementCalls.saveStatement,
    (preparing, { body }) => readFor(preparing, body),
    (ctx, { body }, read) => saveStatement(ctx, body, read),
  ),
  route(statementCalls.listStatements, (ctx, { query }) => listStatements(ctx, query.bankAccountId)),
  route(statementCalls.statementContents, (ctx, { params }) => statementContents(ctx, params.id)),
  route(statementCalls.deleteStatement, (ctx, { params, query }) =>
    removeStatement(ctx, params.id, query.closingOverrideReason),
  ),
  route(statementCalls.reviewAccounts, (ctx) => reviewAccounts(ctx)),
  route(statementCalls.listBankLines, (ctx, { query }) => listBankLines(ctx, query), { gate: 'review' }),
  route(statementCalls.getBankLine, (ctx, { params }) => getBankLine(ctx, params.id), { gate: 'review' }),
  route(statementCalls.bankLineCandidates, (ctx, { params, query }) => bankLineCandidates(ctx, params.id, query.q), {
    gate: 'review',
  }),
  route(statementCalls.actOnBankLine, actOnBankLine),
  route(statementCalls.acceptBankLines, (ctx, { body }) => acceptBankLines(ctx, body)),
  route(statementCalls.listBankRules, (ctx) => listBankRules(ctx)),
  route(statementCalls.createBankRule, (ctx, { body }) => saveBankRule(ctx, { ...body, id: 0 }), {
    save: (ctx, { body }) => saveBankRule(ctx, body),
  }),
  route(statementCalls.updateBankRule, (ctx, { params, body }) => updateBankRule(ctx, params.id, body)),
  route(statementCalls.deleteBankRule, (ctx, { params }) => removeBankRule(ctx, params.id)),
  route(statementCalls.rehearseBankRule, (ctx, { body }) => rehearseBankRule(ctx, body)),
];
