import type { TourStep } from '../../ui/tour/steps.ts';

/** The walkthrough of the Discount form. */
export const DISCOUNT_TOUR: readonly TourStep[] = [
  { element: '#discount-name', title: 'Name', text: 'The name that appears on billing lines and in lists.' },
  { element: '#discount-type', title: 'Type', text: 'A fixed amount or a percentage of the sale.' },
  { element: '#discount-value', title: 'Amount', text: 'A dollar amount, or a percentage from 0 to 100.' },
  { element: '#discount-target', title: 'For', text: 'Whether the discount applies to products or services.' },
  {
    element: '#discount-category',
    title: 'Category',
    text: 'Limits the discount to one category. Leave empty for all categories.',
  },
  { element: '#discount-description', title: 'Description', text: 'The text that appears on invoices.' },
  {
    element: '#discount-account',
    title: 'Account',
    text: 'The account that the discount posts to, for example Discounts Given.',
    side: 'top',
  },
];

/** The walkthrough of the Product form, in field order. The profit center is included only if its field is shown. */
export const PRODUCT_TOUR: readonly TourStep[] = [
  { element: '#product-name', title: 'Name', text: 'The name that appears on billing lines and in lists.' },
  {
    element: '#product-category',
    title: 'Category',
    text: 'The group that the item belongs to. You can add a new category here.',
  },
  { element: '#product-type', title: 'Type', text: 'A product is something you sell. A service is work you do.' },
  { element: '#product-description', title: 'Description', text: 'The text that appears on invoices.' },
  { element: '#product-model', title: 'Model', text: 'The model or version (optional).' },
  {
    element: '#product-account',
    title: 'Revenue Account',
    text: 'The income account that sales post to.',
    side: 'top',
  },
  {
    element: '#product-profit-center',
    title: 'Profit Center',
    text: 'The part of your business that earns the income. You can change it on each line.',
    side: 'top',
  },
  { element: '#product-price', title: 'Price', text: 'The price of one unit, before tax.', side: 'top' },
  {
    element: '#product-taxable',
    title: 'Taxable',
    text: 'Whether to add sales tax when you bill the item.',
    side: 'top',
  },
];
