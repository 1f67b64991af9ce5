/** The singular and plural of a noun. */
export interface Words {
  one: string;
  many: string;
}

/** Returns a count with its noun: "1 customer", "1,204 customers". */
export function counted(count: number, { one, many }: Words): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;
}
