import { SETTING_LABELS } from '@evenkeel/core/words/audit';
import {
  IconBell,
  IconBuilding,
  IconCoin,
  IconDownload,
  IconList,
  IconMail,
  IconReceiptTax,
  IconShieldLock,
  IconUpload,
} from '@tabler/icons-react';

/** The categories of settings, in menu order, with the names of their settings for the search. */
export const PARTS = [
  {
    id: 'company',
    label: 'Company',
    Icon: IconBuilding,
    records: ['company'],
    settings: ['Company Info', 'Company Name', 'Logo', 'Mailing Address', 'Email Address', 'Phone', 'Time Zone'],
  },
  {
    id: 'money',
    label: 'Money',
    Icon: IconCoin,
    records: ['financial'],
    settings: ['Financial Info', ...Object.values(SETTING_LABELS)],
  },
  {
    id: 'taxes',
    label: 'Taxes',
    Icon: IconReceiptTax,
    records: ['salestax', 'taxrule'],
    settings: ['Sales Tax', 'Filing Frequency', 'Tax Rules', 'Due Date', 'Timely-Filing Discount', '1099 Threshold'],
  },
  {
    id: 'email',
    label: 'Sales and Email',
    Icon: IconMail,
    records: [],
    settings: [
      'Online Payments',
      'Stripe',
      'Emails and Payment',
      'How to Pay',
      'Payment Link',
      'Private Links',
      'Email Texts',
    ],
  },
  {
    id: 'reminders',
    label: 'Reminders and Charges',
    Icon: IconBell,
    records: [],
    settings: ['Reminders', 'Finance Charges', 'Annual Percentage Rate', 'Grace Period (Days)'],
  },
  {
    id: 'lists',
    label: 'Lists',
    Icon: IconList,
    records: ['paymenttype', 'property0', 'property1', 'property2'],
    settings: ['Payment Types', 'Customer Info Fields', 'Vendor Info Fields', 'Company Info Fields'],
  },
  {
    id: 'security',
    label: 'Security',
    Icon: IconShieldLock,
    records: [],
    settings: ['Sign-in', 'Two-Step Verification', 'API Keys', 'Webhooks', 'Agents'],
  },
  {
    id: 'movein',
    label: 'Move In',
    Icon: IconUpload,
    records: [],
    settings: ['Move In', 'Import Books', 'QuickBooks', 'Xero', 'Wave', 'GnuCash'],
  },
  {
    id: 'export',
    label: 'Export',
    Icon: IconDownload,
    records: [],
    settings: ["Accountant's Export", 'hledger', 'Beancount', 'CSV', 'Proof for Outsiders', 'Public Key'],
  },
] as const;

export type Part = (typeof PARTS)[number]['id'];

/** Returns the settings whose name, or whose category's name, contains every typed word. */
export function foundSettings(text: string): { setting: string; part: Part; label: string }[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return PARTS.flatMap(({ id, label, settings }) =>
    settings
      .filter((setting) => words.every((word) => `${setting} ${label}`.toLowerCase().includes(word)))
      .map((setting) => ({ setting, part: id, label })),
  );
}
