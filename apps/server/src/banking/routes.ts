import { bankingCalls as calls } from '@evenkeel/contract/banking';
import { removeRecord, saveRecord, updateRecord } from '../db/records.ts';
import { isTrue } from '@evenkeel/contract/endpoint';
import { type Route, route } from '../http/route.ts';
import { availableGlAccounts, getBankingAccount, listBankingAccounts } from './accounts.ts';
import { listPaymentTypes, paymentTypes } from './payment-types.ts';

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
];
