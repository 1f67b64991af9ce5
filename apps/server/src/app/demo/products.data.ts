export const demoCategories = [
  'Lawn Care',
  'Trees and Shrubs',
  'Seasonal Work',
  'Design and Building',
  'Materials',
] as const;
export type DemoCategory = (typeof demoCategories)[number];

export interface DemoProduct {
  name: string;
  description: string;
  /** The price in dollars. */
  price: number;
  category: DemoCategory;
  /** Goods are taxable, and services are not. */
  isGoods: boolean;
  /** The calendar months (1 to 12) when the product sells. */
  months: readonly number[];
  /** The minimum and maximum quantity on one invoice. */
  quantity: readonly [number, number];
  /** The kind of customer who buys the product. */
  buyers: 'homes' | 'businesses' | 'all';
}

const GROWING = [4, 5, 6, 7, 8, 9, 10] as const;
const PLANTING = [3, 4, 5, 6, 9, 10, 11] as const;
const MILD = [3, 4, 5, 6, 7, 8, 9, 10, 11] as const;
const WINTER = [12, 1, 2] as const;
const ALL_YEAR = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12] as const;

const lawn = { category: 'Lawn Care', isGoods: false } as const;
const shrubs = { category: 'Trees and Shrubs', isGoods: false } as const;
const seasonal = { category: 'Seasonal Work', isGoods: false } as const;
const building = { category: 'Design and Building', isGoods: false } as const;
const goods = { category: 'Materials', isGoods: true, buyers: 'all' } as const;

/** The demo company's products. */
export const demoProducts: readonly DemoProduct[] = [
  {
    name: 'Mowing, small lot',
    description: 'Weekly mowing, lot up to a quarter acre',
    price: 48,
    ...lawn,
    months: GROWING,
    quantity: [2, 5],
    buyers: 'homes',
  },
  {
    name: 'Mowing, large lot',
    description: 'Weekly mowing, lot up to one acre',
    price: 86,
    ...lawn,
    months: GROWING,
    quantity: [2, 5],
    buyers: 'homes',
  },
  {
    name: 'Grounds visit',
    description: 'Grounds maintenance visit with mowing, edging and cleanup',
    price: 245,
    ...lawn,
    months: MILD,
    quantity: [2, 5],
    buyers: 'businesses',
  },
  {
    name: 'Edging and trimming',
    description: 'Edging of walks and trimming along beds',
    price: 38,
    ...lawn,
    months: GROWING,
    quantity: [1, 4],
    buyers: 'homes',
  },
  {
    name: 'Core aeration',
    description: 'Core aeration of the lawn',
    price: 145,
    ...lawn,
    months: [4, 9, 10],
    quantity: [1, 2],
    buyers: 'all',
  },
  {
    name: 'Overseeding',
    description: 'Overseeding with a sun and shade mix',
    price: 168,
    ...lawn,
    months: [4, 9, 10],
    quantity: [1, 2],
    buyers: 'all',
  },
  {
    name: 'Fertilizer treatment',
    description: 'Granular fertilizer, one application',
    price: 79,
    ...lawn,
    months: GROWING,
    quantity: [1, 2],
    buyers: 'all',
  },
  {
    name: 'Weed control',
    description: 'Weed control, one application',
    price: 66,
    ...lawn,
    months: [4, 5, 6, 7, 8],
    quantity: [1, 2],
    buyers: 'all',
  },
  {
    name: 'Hedge pruning',
    description: 'Pruning of hedges and shrubs, per hour',
    price: 68,
    ...shrubs,
    months: MILD,
    quantity: [2, 8],
    buyers: 'all',
  },
  {
    name: 'Tree pruning',
    description: 'Pruning of trees, per hour',
    price: 96,
    ...shrubs,
    months: ALL_YEAR,
    quantity: [3, 8],
    buyers: 'all',
  },
  {
    name: 'Stump grinding',
    description: 'Grinding of one stump to six inches below grade',
    price: 175,
    ...shrubs,
    months: ALL_YEAR,
    quantity: [1, 4],
    buyers: 'all',
  },
  {
    name: 'Planting',
    description: 'Planting of trees, shrubs and perennials, per hour',
    price: 58,
    ...shrubs,
    months: PLANTING,
    quantity: [3, 12],
    buyers: 'all',
  },
  {
    name: 'Spring cleanup',
    description: 'Spring cleanup of beds and lawn',
    price: 340,
    ...seasonal,
    months: [3, 4],
    quantity: [1, 1],
    buyers: 'all',
  },
  {
    name: 'Fall leaf removal',
    description: 'Leaf removal with hauling, per visit',
    price: 265,
    ...seasonal,
    months: [10, 11],
    quantity: [1, 2],
    buyers: 'all',
  },
  {
    name: 'Irrigation start-up',
    description: 'Irrigation start-up with a check of every zone',
    price: 115,
    ...seasonal,
    months: [4, 5],
    quantity: [1, 1],
    buyers: 'all',
  },
  {
    name: 'Irrigation winterizing',
    description: 'Blow-out of the irrigation system',
    price: 125,
    ...seasonal,
    months: [10, 11],
    quantity: [1, 1],
    buyers: 'all',
  },
  {
    name: 'Snow clearing',
    description: 'Snow clearing of drive and walks, per visit',
    price: 94,
    ...seasonal,
    months: WINTER,
    quantity: [3, 7],
    buyers: 'all',
  },
  {
    name: 'Design consultation',
    description: 'Landscape design consultation, per hour',
    price: 125,
    ...building,
    months: ALL_YEAR,
    quantity: [2, 5],
    buyers: 'all',
  },
  {
    name: 'Patio and path work',
    description: 'Laying of patios and paths, per hour',
    price: 74,
    ...building,
    months: MILD,
    quantity: [8, 20],
    buyers: 'all',
  },
  {
    name: 'Shredded mulch',
    description: 'Shredded hardwood mulch, per cubic yard',
    price: 42.5,
    ...goods,
    months: PLANTING,
    quantity: [2, 10],
  },
  {
    name: 'Topsoil',
    description: 'Screened topsoil, per cubic yard',
    price: 38,
    ...goods,
    months: PLANTING,
    quantity: [1, 6],
  },
  {
    name: 'Shrub',
    description: 'Flowering shrub, three gallon pot',
    price: 34.5,
    ...goods,
    months: PLANTING,
    quantity: [2, 9],
  },
  {
    name: 'Perennial',
    description: 'Perennial, one gallon pot',
    price: 12.75,
    ...goods,
    months: PLANTING,
    quantity: [4, 24],
  },
  {
    name: 'Shade tree',
    description: 'Shade tree, two inch caliper',
    price: 285,
    ...goods,
    months: PLANTING,
    quantity: [1, 3],
  },
  { name: 'Pavers', description: 'Concrete pavers, per pallet', price: 460, ...goods, months: MILD, quantity: [1, 2] },
];
