import type { Entity } from '@evenkeel/contract/entities';
import type { Company } from '@evenkeel/contract/settings';
import { addressLines } from '@evenkeel/core/entities';
import { mailingAddress } from '../settings/company-record.ts';

/** Below the company's name: its mailing address, then phone and e-mail in one line. */
export function companyLines(company: Company): string[] {
  const address = mailingAddress(company.addresses);
  const contact = [company.phone, company.emailAddress].filter((part) => part !== '').join(' · ');
  return [...(address === undefined ? [] : addressLines(address)), contact].filter((line) => line !== '');
}

/** Below a customer's name: the billing address (type 2), else the mailing address (1). */
export function billingAddress(customer: Entity): string[] {
  const address = customer.addresses.find((each) => each.addressType === 2) ?? customer.addresses[0];
  return address === undefined ? [] : addressLines(address);
}
