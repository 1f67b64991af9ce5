/** The singular and the plural of a word, side by side in one place. */
export interface Words {
  one: string;
  many: string;
}

/** "1 customer", "1,204 customers". */
export function counted(count: number, { one, many }: Words): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;
}
