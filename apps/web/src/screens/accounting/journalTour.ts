import type { TourStep } from '../../ui/tour/steps.ts';

/** The walkthrough of the journal entry form. Steps for disabled fields are skipped. */
export const JOURNAL_TOUR: readonly TourStep[] = [
  {
    element: '#journal-date',
    title: 'Posting Date',
    text: 'The date the entry takes effect in your books. The default is today.',
    side: 'bottom',
  },
  {
    element: '#journal-account',
    title: 'GL Account',
    text: 'The account to debit or credit. Enter part of its number or name.',
    side: 'bottom',
  },
  {
    element: '#journal-profit-center',
    title: 'Profit Center',
    text: 'The part of your business that this line belongs to.',
    side: 'top',
  },
  {
    element: '#journal-location',
    title: 'Location',
    text: 'The location that this line belongs to.',
    side: 'top',
  },
  {
    element: '#journal-description',
    title: 'Description',
    text: 'What the line is for. Write a description that you will still understand next year.',
    side: 'top',
  },
];
