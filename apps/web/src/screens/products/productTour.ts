import type { TourStep } from '../../ui/tour/steps.ts';

/** The walkthrough of the Discount form. */
export const DISCOUNT_TOUR: readonly TourStep[] = [
  { element: '#discount-name', title: 'Name', text: 'What you call it. It stands on the billing line and in lists.' },
  { element: '#discount-type', title: 'Type', text: 'An amount that is taken off, or a percentage of what is sold.' },
  { element: '#discount-value', title: 'How much', text: 'A fixed amount in dollars, or 0 to 100 percent.' },
  { element: '#discount-target', title: 'For', text: 'Whether it is meant for products or for services.' },
  { element: '#discount-category', title: 'Category', text: 'Only for what is in this category; none means all.' },
  { element: '#discount-description', title: 'Description', text: 'The words that an invoice says for it.' },
  {
    element: '#discount-account',
    title: 'Account',
    text: 'Where it is booked, e.g. Discounts Given.',
    side: 'top',
  },
];

/** The walkthrough of the Product form, in the order of its fields; profit center only if it shows. */
export const PRODUCT_TOUR: readonly TourStep[] = [
  { element: '#product-name', title: 'Name', text: 'What you call it. It stands on the billing line and in lists.' },
  { element: '#product-category', title: 'Category', text: 'Groups what you sell. A new one can be made right here.' },
  { element: '#product-type', title: 'Type', text: 'A product is a thing you hand over, a service is work you do.' },
  { element: '#product-description', title: 'Description', text: 'The words that an invoice says for it.' },
  { element: '#product-model', title: 'Model', text: 'Model or version, if there is one. It may stay empty.' },
  {
    element: '#product-account',
    title: 'Revenue Account',
    text: 'The income account that its sales are booked to.',
    side: 'top',
  },
  {
    element: '#product-profit-center',
    title: 'Profit Center',
    text: 'The part of the business that earns it; each line can name another.',
    side: 'top',
  },
  { element: '#product-price', title: 'Price', text: 'What one of it costs, before tax.', side: 'top' },
  { element: '#product-taxable', title: 'Taxable', text: 'Whether sales tax is added when it is billed.', side: 'top' },
];
