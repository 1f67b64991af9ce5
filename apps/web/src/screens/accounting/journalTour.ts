import type { TourStep } from '../../ui/tour/steps.ts';

/** The walkthrough of the journal entry; steps of fields that are switched off are left out. */
export const JOURNAL_TOUR: readonly TourStep[] = [
  {
    element: '#journal-date',
    title: 'Posting Date',
    text: 'The day on which the entry counts in the books. It starts as today.',
    side: 'bottom',
  },
  {
    element: '#journal-account',
    title: 'GL Account',
    text: 'The account that this line debits or credits. Type a part of its number or name.',
    side: 'bottom',
  },
  {
    element: '#journal-profit-center',
    title: 'Profit Center',
    text: 'The part of the business that the line belongs to.',
    side: 'top',
  },
  {
    element: '#journal-location',
    title: 'Location',
    text: 'The place that the line belongs to.',
    side: 'top',
  },
  {
    element: '#journal-description',
    title: 'Description',
    text: 'What the line is for, in words that you will know a year from now.',
    side: 'top',
  },
];
