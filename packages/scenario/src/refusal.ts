/**
 * Returns whether an error message equals the message in a scenario, word for word. "…" matches a name that differs
 * between sets of books, such as the number of a deposit.
 */
export function isTold(message: string, told: string): boolean {
  const parts = told.split('…').map((part) => part.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`));
  return new RegExp(`^${parts.join('.*')}$`).test(message);
}
