/** A bank reconciliation from a textbook, in dollars. Money in is positive. */
export interface Textbook {
  source: string;
  opening: number;
  /** Entries that appear on the statement. */
  cleared: readonly number[];
  outstanding: readonly number[];
  /** Entries for the bank's notices, which also appear on the statement. */
  notices: readonly number[];
  charge: number;
  interest: number;
  statement: number;
  /** The balance in the books before the notices, the charge, and the interest. */
  books: number;
  adjusted: number;
}

const KIMMEL = 'Weygandt, Kimmel and Kieso, Accounting Principles, chapter 8';

/**
 * The amounts are facts from these books. If a book doesn't list the earlier cleared entries, a single entry contains
 * their total.
 */
export const TEXTBOOKS: readonly Textbook[] = [
  {
    // The 1/8 deposit of 600.40 was entered as 594.40, so 6.00 is added.
    source: 'IRS Publication 583, "Bank Reconciliation", January 31',
    opening: 867.72,
    cleared: [594.4],
    outstanding: [701.33, 516.08, -66.7, -9.8, -150, -300],
    notices: [6],
    charge: 10,
    interest: 0,
    statement: 1458.12,
    books: 2153.03,
    adjusted: 2149.03,
  },
  {
    // A note of 1,000.00 with 50.00 interest less a 15.00 fee, check 443 entered 36.00 too high, and an NSF check for
    // 425.60.
    source: `${KIMMEL}, W. A. Laird Company, April 30`,
    opening: 15_292.05,
    cleared: [],
    outstanding: [2201.4, -3000, -1401.3, -1502.7],
    notices: [1000, -15, 36, -425.6],
    charge: 30,
    interest: 50,
    statement: 15_907.45,
    books: 11_589.45,
    adjusted: 12_204.85,
  },
  {
    // 17,250.00 + 64,300.00 − 63,806.00 in the books, a note of 1,700.00, an NSF check for 595.00, and 74.00 for a
    // safe-deposit box.
    source: `${KIMMEL}, exercise on a cash account of September`,
    opening: 17_250,
    cleared: [59_680, -61_253],
    outstanding: [4620, -2553],
    notices: [1700, -595],
    charge: 74,
    interest: 54,
    statement: 16_762,
    books: 17_744,
    adjusted: 18_829,
  },
  {
    source: `${KIMMEL}, exercise on a statement of 3,560.20`,
    opening: 4075.2,
    cleared: [],
    outstanding: [530, -730],
    notices: [-490],
    charge: 25,
    interest: 0,
    statement: 3560.2,
    books: 3875.2,
    adjusted: 3360.2,
  },
  {
    // A note of 500.00 less a 15.00 fee, an NSF check for 20.00 with a 10.00 fee, and a charge for printing checks.
    source: 'Wild, Shaw and Chiappetta, Fundamental Accounting Principles, VideoBuster, October 31',
    opening: 1609.58,
    cleared: [670, -670],
    outstanding: [145, -150, -200],
    notices: [485, -30],
    charge: 23,
    interest: 8.42,
    statement: 2050,
    books: 1404.58,
    adjusted: 1845,
  },
  {
    // The bank charged another customer's check for 100.00. The books record this and expect the bank to correct it.
    source: 'Horngren, Harrison and Oliver, Accounting, Business Research, January 31',
    opening: 3052.72,
    cleared: [-100],
    outstanding: [1591.63, -286, -319.47, -83, -203.14, -458.53, 100],
    notices: [904.03, 2114, 360, -52, -361],
    charge: 14.25,
    interest: 28.01,
    statement: 5931.51,
    books: 3294.21,
    adjusted: 6273,
  },
];
