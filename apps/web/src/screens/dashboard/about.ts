import type { CardKey } from '@evenkeel/core/cards';

/** The explanation of each card, for its info button. */
export const ABOUT: Readonly<Record<CardKey, string>> = {
  incomingMoney:
    'What customers owe you on invoices, by days past the due date: 30 is 1 to 30 days, 60 is 31 to 60, 90+ is 61 ' +
    'and more. Days outstanding is the average age of what is open.',
  outgoingMoney:
    'What you owe vendors on bills, by days past the due date: 30 is 1 to 30 days, 60 is 31 to 60, 90+ is 61 and ' +
    'more. Days outstanding is the average age of what is open.',
  revenue:
    'Income less discounts and returns in the period, against its target. Where you have set none it is measured by ' +
    'the same period a year earlier, or by the periods before.',
  cashPositions: 'What stands in your bank accounts and at hand today. What is owed on credit cards is not taken off.',
  expenseBreakdown: 'Expenses and cost of goods sold in the period, by account category.',
  revenueVsExpense:
    'All income against all expenses in the period. The difference is the net income of the Profit & Loss Statement.',
  profitMargin:
    'Profit in percent of income. Gross is before, net is after expenses. Below 0 is a loss, below 20 is low.',
  currentRatio:
    'Current assets divided by current liabilities, and the same without inventory and other slow assets. Below 1 ' +
    'there is less at hand than is due soon.',
  returnOnAssets:
    'Net income of the period in percent of average assets. Below 0 is a loss. A period that is no year is judged by ' +
    'what it would come to in a year: below 20 is low.',
};
