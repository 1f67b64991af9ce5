import { calls, endpoints } from '@evenkeel/contract/all';
import type { Endpoint } from '@evenkeel/contract/endpoint';
import { documentKinds } from '@evenkeel/core/documents/side';
import type { DocumentKind } from '@evenkeel/core/kinds/kind';
import * as z from 'zod';

type Fields = Readonly<Record<string, unknown>>;

/** The calls that undo changes to a kind of record. They are the calls that the record's own screen makes. */
export interface Way {
  /** Reads the record with its current version. Without this call, the last audit log entry contains the version. */
  read?: Endpoint | undefined;
  /** Saves the values that the record had before a change. */
  save?: Endpoint | undefined;
  /** Converts the record to the body of `save`, if that has other fields. */
  bodyOf?: (record: Fields) => Fields;
  /** The field in the body of `save` with the record's ID, if its name differs from the field in the record. */
  bodyId?: string;
  /** A field that the log contains only in part. If it was changed, the change can't be undone. */
  masked?: string;
  /** Deletes a created record, which posts its reversal. */
  remove?: Endpoint | undefined;
}

const endpointAt = (method: Endpoint['method'], path: string): Endpoint | undefined =>
  endpoints.find((each) => each.method === method && each.path === path);

/** The ways for the documents with their own path, whose calls have the same form for every kind. */
const documentWays = Object.values<DocumentKind>(documentKinds).flatMap(({ source, path }): [string, Way][] => {
  if (path?.endsWith('/{id}') !== true) return [];
  const save = endpointAt('PUT', path.replace('/{id}', ''));
  return [[source, { read: endpointAt('GET', path), save, remove: endpointAt('DELETE', path) }]];
});

const Side = z.number().nullable();
const Line = z.looseObject({ debitAmount: Side, creditAmount: Side, basis: z.number() });
const JournalTemplate = z.looseObject({ document: z.looseObject({ generalLedgerEntries: z.array(Line) }) });

/** Returns a template with the lines of its journal entry as the form sends them: with a side and an amount. */
function journalTemplate(given: Fields): Fields {
  const template = JournalTemplate.parse(given);
  const { generalLedgerEntries, ...document } = template.document;
  const lines = generalLedgerEntries.map(({ debitAmount, creditAmount, ...line }) => {
    return { ...line, debit: debitAmount !== null, amount: debitAmount ?? creditAmount };
  });
  return { ...template, document: { ...document, basis: lines[0]?.basis, generalLedgerEntries: lines } };
}

/** The ways to undo changes, by the kind of record in the audit log. A journal entry is reversed. */
export const ways: Readonly<Record<string, Way>> = {
  ...Object.fromEntries(documentWays),
  workitem: { read: calls.getWorkItem, save: calls.updateWorkItem, remove: calls.deleteWorkItem },
  reconciliation: { remove: calls.deleteReconciliation },
  bankstatement: { remove: calls.deleteStatement },
  bankrule: { save: calls.updateBankRule, remove: calls.deleteBankRule },
  bankingaccount: { save: calls.updateBankingAccount, masked: 'accountNumber', remove: calls.deleteBankingAccount },
  'journal draft': { remove: calls.deleteDraft },
  taxreturn: { remove: calls.undoTaxReturn },
  'tax payment': { remove: calls.deleteTaxPayment },
  '1099 form': { remove: calls.undoForm },
  'tax agency': { save: calls.updateTaxAgency },
  'tax rule': { save: calls.updateTaxRule, remove: calls.deleteTaxRule },
  salestax: { read: calls.getSalesTax, save: calls.updateSalesTax },
  customer: { read: calls.getCustomer, save: calls.updateCustomer, remove: calls.deleteCustomer },
  vendor: { read: calls.getVendor, save: calls.updateVendor, remove: calls.deleteVendor },
  product: { read: calls.getProduct, save: calls.updateProduct, remove: calls.deleteProduct },
  package: { read: calls.getPackage, save: calls.updatePackage, remove: calls.deletePackage },
  discount: { read: calls.getDiscount, save: calls.updateDiscount, remove: calls.deleteDiscount },
  category: { save: calls.updateCategory, bodyId: 'productCategoryID', remove: calls.deleteCategory },
  account: { save: calls.setupAccount },
  'account category': { save: calls.updateAccountCategory, remove: calls.deleteAccountCategory },
  'profit center': { save: calls.updateProfitCenter, remove: calls.deleteProfitCenter },
  location: { save: calls.updateLocation, remove: calls.deleteLocation },
  'payment type': { save: calls.updatePaymentType, remove: calls.deletePaymentType },
  property: { save: calls.updateProperty, remove: calls.deleteProperty },
  role: { read: calls.getRole, save: calls.updateRole, remove: calls.deleteRole },
  company: { read: calls.getCompanyById, save: calls.updateCompany },
  setting: { save: calls.saveSettings },
  'account sign-off': { remove: calls.withdrawSignOff },
  'scheduled invoice': {
    read: calls.getScheduledInvoice,
    save: calls.updateScheduledInvoice,
    remove: calls.deleteScheduledInvoice,
  },
  'scheduled expense': {
    read: calls.getScheduledBill,
    save: calls.updateScheduledBill,
    remove: calls.deleteScheduledBill,
  },
  'scheduled journal': {
    read: calls.getScheduledJournal,
    save: calls.updateScheduledJournal,
    bodyOf: journalTemplate,
    remove: calls.deleteScheduledJournal,
  },
};

/** Returns whether a change can be undone, as long as no newer change or record depends on it. */
export function canUndo({ kind, action }: { kind: string; action: string }): boolean {
  if (kind === 'journal') return action === 'post' || action === 'create';
  const way = ways[kind];
  return (action === 'create' && way?.remove !== undefined) || (action === 'update' && way?.save !== undefined);
}
