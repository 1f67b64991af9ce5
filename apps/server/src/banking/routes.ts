import { bankingCalls as calls } from '@evenkeel/contract/banking';
import { removeRecord, saveRecord, updateRecord } from '../db/records.ts';
import { transferCalls } from '@evenkeel/contract/transfers';
import { isTrue } from '@evenkeel/contract/endpoint';
import { queuedRoute, type Route, route } from '../http/route.ts';
import { availableGlAccounts, getBankingAccount, listBankingAccounts } from './accounts.ts';
import { deposits, listDeposits, listUndeposited } from './deposits.ts';
import { listPaymentTypes, paymentTypes } from './payment-types.ts';
import { listTransfers, transfers } from './transfers.ts';

export const bankingRoutes: Route[] = [
  route(calls.listBankingAccounts, (ctx) => listBankingAccounts(ctx)),
  route(calls.getBankingAccount, (ctx, { params }) => getBankingAccount(ctx, params.id)),
  route(calls.availableGlAccounts, (ctx, { params }) => availableGlAccounts(ctx, params.accountIdInUse)),
  route(calls.listPaymentTypes, (ctx, { query }) => listPaymentTypes(ctx, isTrue(query.inactive))),
  route(calls.createPaymentType, (ctx, { body }) => saveRecord(ctx, paymentTypes, body)),
  route(calls.updatePaymentType, (ctx, { params, body }) =>
    updateRecord(ctx, paymentTypes, { ...body, id: params.id }),
  ),
  route(calls.deletePaymentType, (ctx, { params }) => removeRecord(ctx, paymentTypes, params.id)),
  route(transferCalls.listTransfers, (ctx, { query }) => listTransfers(ctx, query)),
  route(transferCalls.getTransfer, (ctx, { params }) => transfers.get(ctx, params.id)),
  queuedRoute(transferCalls.createTransfer, transfers.creation, {
    save: (ctx, { body }) => transfers.update(ctx, body),
  }),
  route(transferCalls.updateTransfer, (ctx, { body }) => transfers.update(ctx, body)),
  route(transferCalls.deleteTransfer, (ctx, { params, query }) =>
    transfers.remove(ctx, params.id, query.closingOverrideReason),
  ),
  route(transferCalls.listDeposits, (ctx, { query }) => listDeposits(ctx, query)),
  route(transferCalls.getDeposit, (ctx, { params }) => deposits.get(ctx, params.id)),
  queuedRoute(transferCalls.createDeposit, deposits.creation, { save: (ctx, { body }) => deposits.update(ctx, body) }),
  route(transferCalls.updateDeposit, (ctx, { body }) => deposits.update(ctx, body)),
  route(transferCalls.deleteDeposit, (ctx, { params, query }) =>
    deposits.remove(ctx, params.id, query.closingOverrideReason),
  ),
  route(transferCalls.listUndeposited, (ctx) => listUndeposited(ctx)),
];
