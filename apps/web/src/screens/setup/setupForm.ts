import type { BodyOf } from '@evenkeel/contract/endpoint';
import { type Company, type CustomerSetting } from '@evenkeel/contract/settings';
import type { setupCalls } from '@evenkeel/contract/setup';
import { AP, AR } from '@evenkeel/core/books/accounts';
import type { FieldMessages } from '@evenkeel/core/failure';
import { DEFAULT_CUSTOMER } from '@evenkeel/core/setup';
import * as z from 'zod';
import { Money } from '../../records/formFields.ts';

/** The answers entered in the wizard. */
export const SetupForm = z.object({
  companyName: z.string(),
  useDefaultAR: z.boolean(),
  defaultARAccountId: z.number().nullable(),
  useDefaultAP: z.boolean(),
  defaultAPAccountId: z.number().nullable(),
  useDefaultCustomer: z.boolean(),
  customerName: z.string(),
  customerEmail: z.string(),
  vendorName: z.string(),
  vendorEmail: z.string(),
  productName: z.string(),
  productPrice: Money.nullable(),
});
export type SetupForm = z.output<typeof SetupForm>;

/** The steps in order. */
export const STEPS = ['welcome', 'company', 'financials', 'customers', 'expenses', 'products'] as const;
export type StepId = (typeof STEPS)[number];

/** Each step's name and fields. */
export const STEP_FACTS: Readonly<Record<StepId, { label: string; fields: readonly (keyof SetupForm)[] }>> = {
  welcome: { label: 'Welcome', fields: [] },
  company: { label: 'Company', fields: ['companyName'] },
  financials: { label: 'Financials', fields: ['defaultARAccountId', 'defaultAPAccountId'] },
  customers: { label: 'Customers', fields: ['customerName', 'customerEmail'] },
  expenses: { label: 'Expenses', fields: ['vendorName', 'vendorEmail'] },
  products: { label: 'Products', fields: ['productName', 'productPrice'] },
};

/** Returns the form filled in with the company's data. */
export function setupFormOf(company: Company, settings: readonly CustomerSetting[]): SetupForm {
  const idOf = (name: string, first: number): number =>
    Number(settings.find((each) => each.settingName === name)?.settingValue) || first;
  const [receivable, payable] = [idOf('defaultARAccountId', AR), idOf('defaultAPAccountId', AP)];
  return {
    companyName: company.displayname,
    useDefaultAR: receivable === AR,
    defaultARAccountId: receivable,
    useDefaultAP: payable === AP,
    defaultAPAccountId: payable,
    useDefaultCustomer: false,
    customerName: '',
    customerEmail: '',
    vendorName: '',
    vendorEmail: '',
    productName: '',
    productPrice: null,
  };
}

/** Returns the request for a form. */
export function setupRequest({
  useDefaultAR,
  useDefaultAP,
  ...form
}: SetupForm): BodyOf<typeof setupCalls.completeSetup> {
  return {
    ...form,
    defaultARAccountId: useDefaultAR ? AR : form.defaultARAccountId,
    defaultAPAccountId: useDefaultAP ? AP : form.defaultAPAccountId,
  };
}

/** Returns the messages that belong to a step. */
export function faultsOf(step: StepId, faults: FieldMessages): FieldMessages {
  const own: readonly string[] = STEP_FACTS[step].fields;
  return Object.fromEntries(Object.entries(faults).filter(([field]) => own.includes(field)));
}

/** Returns the first step with an error. */
export function faultyStep(faults: FieldMessages): StepId | undefined {
  return STEPS.find((step) => Object.keys(faultsOf(step, faults)).length > 0);
}

/** Returns the second line of a completed step, which summarizes its answer. */
export function noteOf(step: StepId, form: SetupForm): string | undefined {
  const note = {
    welcome: '',
    company: form.companyName,
    financials: 'Receivable and payable accounts',
    customers: form.useDefaultCustomer ? DEFAULT_CUSTOMER : form.customerName,
    expenses: form.vendorName,
    products: form.productName,
  }[step];
  return note.trim() === '' ? undefined : note;
}
