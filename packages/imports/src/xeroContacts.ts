import type { SourceLine } from './books.ts';
import { roleFor } from './accountTypes.ts';
import type { FileBooks, TypeOf } from './reader.ts';

const isControl = (account: string, typeOf: TypeOf): boolean => {
  const role = roleFor({ name: account.replace(/ \([\w.-]+\)$/, ''), type: typeOf(account) });
  return role === 'receivable' || role === 'payable';
};

/**
 * Adds the contact to receivable and payable entries in reports without a contact column. In Xero, the description of
 * such an entry starts with the contact's name.
 */
export function withContacts(books: FileBooks, typeOf: TypeOf): FileBooks {
  const transactions = books.transactions?.map((transaction) => {
    const party = transaction.party;
    if (party !== undefined) return transaction;
    const named = (line: SourceLine): SourceLine => {
      const text = line.memo ?? transaction.memo;
      if (line.party !== undefined || text === undefined || !isControl(line.account, typeOf)) return line;
      const [contact = text] = text.split(' - ');
      return { ...line, party: contact };
    };
    return { ...transaction, lines: transaction.lines.map(named) };
  });
  return transactions === undefined ? books : { ...books, transactions };
}
