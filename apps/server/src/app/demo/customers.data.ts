/** The minimum and maximum number of days from the invoice date until a customer pays. */
export const habits = {
  prompt: [3, 14],
  punctual: [18, 33],
  slow: [38, 68],
  poor: [65, 110],
} as const;
export type Habit = keyof typeof habits;

export interface DemoCustomer {
  name: string;
  /** The contact of a business. A business pays with one check a month. */
  contact?: string;
  street: string;
  city: string;
  zipCode: string;
  habit: Habit;
  /** The discount in percent, and the number of days within which it applies. */
  discount?: { discountPercent: number; discountDays: number };
  /** The number of months from the start of the story to the customer's first invoice. */
  joins: number;
}

const ashby = { city: 'Ashby Falls', zipCode: '43981' };
const marlow = { city: 'Marlow Heights', zipCode: '43982' };
const linden = { city: 'Linden Grove', zipCode: '43983' };

/** Invented people and businesses in three invented towns. */
export const demoCustomers: readonly DemoCustomer[] = [
  { name: 'Ruth Abernethy', street: '12 Cooper Lane', ...ashby, habit: 'prompt', joins: 0 },
  { name: 'Owen Brightwell', street: '48 Orchard Street', ...ashby, habit: 'punctual', joins: 0 },
  { name: 'Celia Carrow', street: '7 Millrace Court', ...ashby, habit: 'prompt', joins: 0 },
  { name: 'Dominic Dunleavy', street: '230 Ridge Road', ...marlow, habit: 'slow', joins: 0 },
  { name: 'Esther Eastlake', street: '91 Juniper Way', ...marlow, habit: 'punctual', joins: 0 },
  { name: 'Franklin Fairweather', street: '5 Quarry View', ...linden, habit: 'prompt', joins: 0 },
  { name: 'Greta Goodspeed', street: '64 Chapel Street', ...linden, habit: 'punctual', joins: 0 },
  { name: 'Harold Hathersage', street: '19 Fox Hollow', ...ashby, habit: 'prompt', joins: 0 },
  { name: 'Imogen Inglenook', street: '303 Ridge Road', ...marlow, habit: 'punctual', joins: 0 },
  { name: 'Jasper Jessop', street: '26 Weaver Street', ...ashby, habit: 'poor', joins: 0 },
  { name: 'Katherine Kestrel', street: '81 Orchard Street', ...ashby, habit: 'prompt', joins: 0 },
  { name: 'Leonard Larkspur', street: '14 Meadow Close', ...linden, habit: 'punctual', joins: 0 },
  { name: 'Miriam Mossgrove', street: '9 Station Road', ...linden, habit: 'prompt', joins: 0 },
  { name: 'Nathaniel Northcote', street: '117 Juniper Way', ...marlow, habit: 'slow', joins: 2 },
  { name: 'Olive Oakenshaw', street: '33 Cooper Lane', ...ashby, habit: 'punctual', joins: 3 },
  { name: 'Percival Pennywhistle', street: '58 Chapel Street', ...linden, habit: 'prompt', joins: 4 },
  { name: 'Quentin Quillfeather', street: '2 Terrace Park', ...marlow, habit: 'punctual', joins: 4 },
  { name: 'Rosalind Ravenscroft', street: '75 Weaver Street', ...ashby, habit: 'prompt', joins: 5 },
  { name: 'Silas Stonebridge', street: '140 Ridge Road', ...marlow, habit: 'punctual', joins: 5 },
  { name: 'Tabitha Thistlewood', street: '22 Meadow Close', ...linden, habit: 'slow', joins: 6 },
  { name: 'Ulric Underhill', street: '16 Fox Hollow', ...ashby, habit: 'prompt', joins: 8 },
  { name: 'Verity Vandermolen', street: '44 Station Road', ...linden, habit: 'punctual', joins: 10 },
  { name: 'Winifred Wetherby', street: '3 Millrace Court', ...ashby, habit: 'prompt', joins: 12 },
  { name: 'Xavier Yarborough', street: '209 Juniper Way', ...marlow, habit: 'punctual', joins: 14 },
  { name: 'Yvette Yellowley', street: '11 Quarry View', ...linden, habit: 'poor', joins: 15 },
  { name: 'Zachary Zeller', street: '69 Orchard Street', ...ashby, habit: 'prompt', joins: 16 },
  { name: 'Beatrix Bramblecote', street: '27 Terrace Park', ...marlow, habit: 'punctual', joins: 17 },
  { name: 'Cornelius Copperfield-Ames', street: '8 Chapel Street', ...linden, habit: 'prompt', joins: 18 },
  {
    name: 'Ashby Falls Community School',
    contact: 'Dorothy Pell',
    street: '1 School Drive',
    ...ashby,
    habit: 'punctual',
    joins: 0,
  },
  {
    name: 'Copper Kettle Inn',
    contact: 'Martin Sorrel',
    street: '400 Main Street',
    ...ashby,
    habit: 'prompt',
    joins: 0,
  },
  {
    name: 'Juniper Way Homeowners',
    contact: 'Alice Bramwell',
    street: '150 Juniper Way',
    ...marlow,
    habit: 'punctual',
    joins: 0,
  },
  {
    name: 'Larchmont Dental Care',
    contact: 'Peter Lorne',
    street: '88 Main Street',
    ...ashby,
    habit: 'prompt',
    joins: 0,
  },
  {
    name: 'Linden Grove Library',
    contact: 'Susan Averill',
    street: '12 Library Square',
    ...linden,
    habit: 'punctual',
    joins: 0,
  },
  {
    name: 'Marlow Heights Apartments',
    contact: 'Victor Stanhope',
    street: '600 Terrace Park',
    ...marlow,
    habit: 'slow',
    joins: 1,
  },
  {
    name: 'Quarry View Storage',
    discount: { discountPercent: 2, discountDays: 10 },
    contact: 'Helen Marsh',
    street: '31 Quarry View',
    ...linden,
    habit: 'punctual',
    joins: 3,
  },
  {
    name: 'Ridge Road Veterinary Clinic',
    contact: 'Thomas Elgin',
    street: '77 Ridge Road',
    ...marlow,
    habit: 'prompt',
    joins: 5,
  },
  {
    name: 'Station House Bakery',
    contact: 'Nora Fielding',
    street: '2 Station Road',
    ...linden,
    habit: 'prompt',
    joins: 7,
  },
  {
    name: 'Thornfield Office Park',
    contact: 'Edwin Marchbanks',
    street: '900 Thornfield Road',
    ...marlow,
    habit: 'punctual',
    joins: 9,
  },
  {
    name: 'Weaver Street Church',
    contact: 'Grace Holloway',
    street: '50 Weaver Street',
    ...ashby,
    habit: 'punctual',
    joins: 11,
  },
  {
    name: 'Willow Bend Senior Living',
    contact: 'Arthur Denham',
    street: '15 Willow Bend',
    ...linden,
    habit: 'slow',
    joins: 13,
  },
];
