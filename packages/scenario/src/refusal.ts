/**
 * Whether a refusal says what a story tells, word for word. "…" stands for a name that each set of books gives itself,
 * such as the number of a deposit.
 */
export function isTold(message: string, told: string): boolean {
  const parts = told.split('…').map((part) => part.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`));
  return new RegExp(`^${parts.join('.*')}$`).test(message);
}
