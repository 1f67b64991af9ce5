import { Failure, type FailureCode, refuse } from '@evenkeel/core/failure';
import { databaseCode } from './errors.ts';

/**
 * Error messages for the database constraints that a request can violate, by constraint name. Such a violation means
 * that another request was faster, or that only the database can check the rule. A violation of any other constraint is
 * a bug (500).
 */
export const EXPECTED: ReadonlyMap<string, readonly [FailureCode, string]> = new Map([
  ['account_category_name', ['conflict', 'A category with this name already exists']],
  ['app_user_email', ['conflict', 'A user with this email address already exists']],
  [
    'banking_account_company_id_gl_account_id_key',
    ['conflict', 'This GL account is already used by another bank account'],
  ],
  ['deposit_receipt_line', ['conflict', 'This receipt is already in another deposit']],
  ['deposit_receipt_payment', ['conflict', 'This receipt is already in another deposit']],
  ['finance_charge_day_once', ['conflict', 'These days were charged on another invoice in the meantime']],
  ['form_1099_version', ['conflict', 'Someone else just filed this form. Reload the page.']],
  ['journal_line_reverses', ['conflict', 'Someone else changed this record. Reload the page.']],
  ['ledger_total_amount_cents_check', ['rule', 'Amount is out of range']],
  ['mail_document_step', ['conflict', 'This was already sent. Review it before sending again.']],
  ['mail_entity_step', ['conflict', 'This was already sent. Review it before sending again.']],
  ['mail_payment_step', ['conflict', 'This was already sent. Review it before sending again.']],
  ['payment_type_name', ['conflict', 'A payment type with this name already exists']],
  ['product_category_name', ['conflict', 'A category with this name already exists']],
  ['role_name_unique', ['conflict', 'A role with this name already exists']],
  ['tax_agency_item_once', ['conflict', 'A tax item already belongs to another agency']],
  ['tax_return_period', ['conflict', 'Someone else just filed this return. Reload the page.']],
  ['tax_rule_day', ['conflict', 'You already have a rule that starts on this date. Change that rule.']],
]);

/**
 * Names for the records that users delete, keyed by the ending of a foreign key's name. PostgreSQL names a foreign key
 * after its column. The first ending that matches is used.
 */
export const NAMED_BY_PEOPLE = [
  ['bank_account_id', 'bank account'],
  ['account_id', 'account'],
  ['agency_id', 'tax agency'],
  ['attachment_id', 'attachment'],
  ['product_category_id', 'product category'],
  ['category_id', 'category'],
  ['discount_id', 'discount'],
  ['entity_id', 'customer or vendor'],
  ['item_id', 'tax item'],
  ['location_id', 'location'],
  ['package_id', 'package'],
  ['payment_type_id', 'payment type'],
  ['product_id', 'item'],
  ['profit_center_id', 'profit center'],
  ['sales_tax_scenario_id', 'sales tax scenario'],
  ['user_id', 'user'],
  ['vendor_id', 'vendor'],
] as const;

/**
 * Converts a constraint violation to an error for the user. Returns undefined if the violation is a bug, or if no
 * constraint was violated.
 */
export function refusalOfConstraint(error: unknown): Failure | undefined {
  const name = constraintOf(error);
  if (name === undefined) return undefined;
  const words = EXPECTED.get(name);
  return words === undefined ? missingRecord(name) : new Failure(...words);
}

/**
 * Returns the name of the violated constraint. A distributed table adds its shard to the name, or includes the name
 * only in the message.
 */
function constraintOf(error: unknown): string | undefined {
  if (databaseCode(error)?.startsWith('23') !== true) return undefined;
  const { message } = error as Error;
  const { constraint = /constraint "([^"]+)"/.exec(message)?.[1] } = error as { constraint?: unknown };
  return typeof constraint === 'string' ? constraint.replace(/_\d+$/, '') : undefined;
}

function missingRecord(name: string): Failure | undefined {
  const [, record] = NAMED_BY_PEOPLE.find(([column]) => name.endsWith(`_${column}_fkey`)) ?? [];
  return record === undefined ? undefined : refuse(`The selected ${record} doesn't exist`);
}
