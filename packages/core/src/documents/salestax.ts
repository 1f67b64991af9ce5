import type { IsoDate } from '../dates.ts';
import type { FieldMessages } from '../failure.ts';
import type { Decimal } from '../money.ts';
import type { ExemptReason } from '../taxes/ids.ts';

/** Sales tax scenarios: lists, labels, and rules for the form and the server. */

export const salesTaxTypes = [
  { id: 0, displayName: 'State' },
  { id: 1, displayName: 'City' },
  { id: 2, displayName: 'County' },
  { id: 3, displayName: 'Other' },
] as const;

export const filingFrequencies = [
  { id: 0, displayName: 'Annually' },
  { id: 1, displayName: 'Bi-Annually' },
  { id: 2, displayName: 'Quarterly' },
  { id: 3, displayName: 'Monthly' },
] as const;

export const exemptReasons: readonly { id: ExemptReason; label: string }[] = [
  { id: 'resale', label: 'Resale' },
  { id: 'nonprofit', label: 'Nonprofit organization' },
  { id: 'government', label: 'Government' },
  { id: 'agriculture', label: 'Agriculture' },
  { id: 'manufacturing', label: 'Manufacturing' },
  { id: 'other', label: 'Other' },
];

/**
 * Returns whether a customer's certificate of exemption had expired on a date. `exemptUntil` is the last day on which
 * it is valid.
 */
export function isCertificateExpired(
  { taxExempt, exemptUntil }: { taxExempt?: boolean | undefined; exemptUntil?: IsoDate | null | undefined },
  date: IsoDate,
): boolean {
  return taxExempt === true && exemptUntil !== null && exemptUntil !== undefined && exemptUntil < date;
}

export interface CheckableScenario {
  glAccountId?: number | null | undefined;
  filingFrequency?: number | null | undefined;
  salesTaxItems: readonly {
    salesTaxType?: number | null | undefined;
    percentage: Decimal;
    rates?: readonly { from: IsoDate; percentage: Decimal }[] | null | undefined;
    deleted?: boolean | null | undefined;
  }[];
}

export const PERCENTAGE_MESSAGE = 'Please enter a percentage from 0 to 100';

const isOutside = (percentage: Decimal): boolean => percentage.lt(0) || percentage.gt(100);

/** Returns the validation messages for a scenario by field path. Deleted items are ignored. */
export function checkSalesTax(scenario: CheckableScenario): FieldMessages {
  const fields: FieldMessages = {};
  if ((scenario.glAccountId ?? 0) <= 0) fields['glAccountId'] = 'Please Select an Account';
  if (!filingFrequencies.some((each) => each.id === scenario.filingFrequency)) {
    fields['filingFrequency'] = 'Please Select a Frequency';
  }
  scenario.salesTaxItems.forEach((item, index) => {
    if (item.deleted === true) return;
    if (!salesTaxTypes.some((each) => each.id === (item.salesTaxType ?? 0))) {
      fields[`salesTaxItems.${index}.salesTaxType`] = 'Please Select a Sales Tax Type';
    }
    const at = `salesTaxItems.${index}`;
    if (isOutside(item.percentage)) fields[`${at}.percentage`] = PERCENTAGE_MESSAGE;
    item.rates?.forEach(({ from, percentage }, place, rates) => {
      if (isOutside(percentage)) fields[`${at}.rates.${place}.percentage`] = PERCENTAGE_MESSAGE;
      const isTaken = rates.findIndex((other) => other.from === from) < place;
      if (isTaken) fields[`${at}.rates.${place}.from`] = 'Another rate starts on this date';
    });
  });
  return fields;
}

/** Returns the name of an item: its label, or its type if it has none ("State"). */
export function taxItemLabel(item: { label: string; salesTaxType: number }): string {
  return item.label === ''
    ? (salesTaxTypes.find((each) => each.id === item.salesTaxType)?.displayName ?? '')
    : item.label;
}

/**
 * Formats a percentage with all of its decimal places, but at least 2: 5.75 → "5.75%", 1 → "1.00%", 0.125 → "0.125%".
 */
export function displayPercentage(percentage: Decimal): string {
  const [whole = '0', fraction = ''] = percentage.toString().split('.');
  return `${whole}.${fraction.padEnd(2, '0')}%`;
}
