export interface DemoVendor {
  name: string;
  street: string;
  city: string;
  zipCode: string;
  /** The number of days until the vendor's bills are due. */
  terms: number;
  /** The discount in percent, and the number of days within which it applies. */
  discount?: { discountPercent: number; discountDays: number };
  /** The prefix of the vendor's bill numbers. */
  prefix: string;
}

const ashby = { city: 'Ashby Falls', zipCode: '43981' };
const marlow = { city: 'Marlow Heights', zipCode: '43982' };
const linden = { city: 'Linden Grove', zipCode: '43983' };

/** Invented businesses that a landscaper buys from, by their role in the story. */
export const demoVendors = {
  nursery: {
    name: 'Tallgrass Nursery',
    street: '400 County Road 9',
    ...linden,
    terms: 30,
    discount: { discountPercent: 1, discountDays: 10 },
    prefix: 'TG-',
  },
  supply: { name: 'Quarry & Mulch Supply', street: '77 Kiln Road', ...marlow, terms: 15, prefix: '' },
  landlord: { name: 'Millrace Properties', street: '2 Millrace Court', ...ashby, terms: 5, prefix: 'Rent ' },
  insurer: { name: 'Beacon Mutual Insurance', street: '1 Beacon Plaza', ...marlow, terms: 20, prefix: 'BM' },
  telephone: { name: 'Three Towns Telephone', street: '55 Exchange Street', ...ashby, terms: 15, prefix: '' },
  power: { name: 'Ashby Falls Water & Power', street: '10 Weir Lane', ...ashby, terms: 20, prefix: 'AF-' },
  accountant: { name: 'Penrose & Daughter, CPA', street: '8 Chapel Street', ...linden, terms: 30, prefix: '' },
  workshop: { name: 'Ridge Road Equipment', street: '301 Ridge Road', ...marlow, terms: 30, prefix: 'RR' },
  board: { name: 'State Contractor Board', street: '900 Capitol Avenue', ...marlow, terms: 0, prefix: 'CL-' },
} as const satisfies Record<string, DemoVendor>;

export type VendorName = keyof typeof demoVendors;
export const vendorNames: readonly VendorName[] = [
  'nursery',
  'supply',
  'landlord',
  'insurer',
  'telephone',
  'power',
  'accountant',
  'workshop',
  'board',
];
