import type { SourceLine, SourceTransaction } from './books.ts';
import { roleFor } from './accountTypes.ts';
import type { FileBooks, TypeOf } from './reader.ts';
import { Transactions } from './transactions.ts';

const isControl = (account: string, typeOf: TypeOf): boolean => {
  const role = roleFor({ name: account.replace(/ \([\w.-]+\)$/, ''), type: typeOf(account) });
  return role === 'receivable' || role === 'payable';
};

/**
 * Adds the contact to receivable and payable entries in reports without a contact column. In Xero, the description of
 * each of these entries starts with the contact's name.
 */
export function withContacts(books: FileBooks, typeOf: TypeOf): FileBooks {
  const { transactions } = books;
  if (transactions === undefined) return books;
  const made = new Transactions();
  for (const transaction of transactions) made.push(withContact(transaction, typeOf));
  return { ...books, transactions: made };
}

function withContact(transaction: SourceTransaction, typeOf: TypeOf): SourceTransaction {
  if (transaction.party !== undefined) return transaction;
  const named = (line: SourceLine): SourceLine => {
    const text = line.memo ?? transaction.memo;
    if (line.party !== undefined || text === undefined || !isControl(line.account, typeOf)) return line;
    const [contact = text] = text.split(' - ');
    return { ...line, party: contact };
  };
  return { ...transaction, lines: transaction.lines.map(named) };
}
