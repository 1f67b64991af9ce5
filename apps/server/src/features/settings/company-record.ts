import { mailingAddress } from '../../books/parties.ts';
import type { DocumentLink } from '@evenkeel/contract/attachments';
import type { Company } from '@evenkeel/contract/company';
import type { CompanyInput } from '@evenkeel/contract/settings';
import {
  type AddressLines,
  displayAddress,
  entityEmail,
  entityName,
  placeOf,
  withPlace,
} from '@evenkeel/core/entities';
import { UNITED_STATES } from '@evenkeel/core/geography.data';
import { ZERO } from '@evenkeel/core/money';
import type { CompanyDetails, CompanyRow } from './company.sql.ts';
import {
  type AddressInput,
  mergeDetails,
  NO_DETAILS,
  type PhoneInput,
  primaryPhone,
  shownDetails,
} from './entity-details.ts';

const MAILING = 1;

const NO_ADDRESS: AddressLines = {
  attention: '',
  address1: '',
  address2: '',
  city: '',
  state: '',
  stateId: null,
  zipCode: '',
  plusFour: '',
  province: '',
  provinceId: null,
  provinceName: '',
  postalCode: '',
  countryId: UNITED_STATES,
};

/**
 * Returns the company as an entity with its logo. The mailing address and primary phone number also appear as top-level
 * fields.
 */
export function toCompany({ details: stored, ...row }: CompanyRow, logo: DocumentLink | null = null): Company {
  const { name, ...details } = stored;
  const shown = shownDetails(details);
  return {
    ...row,
    ...shown,
    name: name ?? row.displayname,
    emailAddress: details.emailAddress ?? '',
    accountNumber: details.accountNumber ?? '',
    isIndividual: details.isIndividual ?? false,
    phone: primaryPhone(shown.phones)?.displayNumber ?? '',
    ...placeOf(mailingAddress(shown.addresses) ?? NO_ADDRESS),
    logo,
    deleted: false,
    currentbalance: ZERO,
  };
}

/** Returns the row with the input applied and the version increased. Omitted fields keep their values. */
export function merged(stored: CompanyRow, input: CompanyInput): CompanyRow {
  const before = toCompany(stored);
  const isIndividual = input.isIndividual ?? before.isIndividual;
  const names = namesOf(before, { ...input, isIndividual });
  const addresses = input.addresses ?? movedAddresses(before, input);
  const phones = input.phones ?? dialledPhones(before, input);
  const details: CompanyDetails = {
    ...mergeDetails({ ...NO_DETAILS, ...stored.details }, { ...input, addresses, phones }),
    ...(names.name === names.displayname ? {} : { name: names.name }),
    emailAddress: entityEmail({ ...input, emailAddress: input.emailAddress ?? before.emailAddress, isIndividual }),
    accountNumber: input.accountNumber ?? before.accountNumber,
    isIndividual,
  };
  return {
    ...stored,
    displayname: names.displayname,
    timeZone: input.timeZone ?? stored.timeZone,
    details,
    rowVersion: stored.rowVersion + 1,
  };
}

/**
 * The name and display name stay equal until a user gives them different values. If the display name is empty, it is
 * reset to the name.
 */
function namesOf(before: Company, input: CompanyInput): { name: string; displayname: string } {
  const isOne = before.name === before.displayname;
  const name = entityName({ ...input, name: input.name ?? (isOne ? input.displayname : undefined) ?? before.name });
  const kept = isOne ? name : before.displayname;
  return { name, displayname: (input.displayname ?? kept) || name };
}

/**
 * Returns the addresses with the top-level fields applied to the mailing address, or undefined if these fields don't
 * change it.
 */
function movedAddresses(before: Company, input: CompanyInput): AddressInput[] | undefined {
  const place = {
    address1: input.address1 ?? before.address1,
    address2: input.address2 ?? before.address2,
    city: input.city ?? before.city,
    state: input.state ?? before.state,
    zipCode: input.zipCode ?? before.zipCode,
    countryId: input.countryId || before.countryId,
  };
  const mailing = mailingAddress(before.addresses);
  const address = { addressType: MAILING, ...withPlace(mailing ?? NO_ADDRESS, place) };
  if (mailing !== undefined) return before.addresses.map((each) => (each === mailing ? address : each));
  return displayAddress(withPlace(NO_ADDRESS, place)) === '' ? undefined : [address, ...before.addresses];
}

/**
 * Returns the phone numbers with the number in the top-level field as the primary one, or without a primary one if the
 * field is empty.
 */
function dialledPhones({ phones }: Company, { phone }: CompanyInput): PhoneInput[] | undefined {
  if (phone === null || phone === undefined) return undefined;
  const primary = primaryPhone(phones);
  if (primary !== undefined)
    return phones.map((each) => (each === primary ? { ...each, displayNumber: phone, deleted: phone === '' } : each));
  return phone === '' ? undefined : [{ displayNumber: phone, primary: true }];
}
