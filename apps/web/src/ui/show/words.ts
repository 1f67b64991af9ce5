/** What one of a thing is called, and several: the plural is said in one place, where the word is. */
export interface Words {
  one: string;
  many: string;
}

/** "1 customer", "1,204 customers". */
export function counted(count: number, { one, many }: Words): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;
}
