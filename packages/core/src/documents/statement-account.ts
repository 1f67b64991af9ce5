/** Account numbers in bank files may have leading zeros or spaces, or show only the last digits. */

const FEWEST_DIGITS = 4;

function plain(number: string): string {
  const shown = number.toUpperCase().replace(/[^\p{L}\p{N}*•]/gu, '');
  // Hidden digits (XXXX1234, ****1234) are ignored.
  return shown.replace(/^.*[X*•](?=\d)/, '').replace(/^0+(?=.)/, '');
}

/**
 * Returns whether an account number in a file belongs to a bank account. The two numbers must be equal, or one must be
 * the end of the other.
 */
export function isAccountOfFile(number: string, ofFile: string): boolean {
  const [a, b] = [plain(number), plain(ofFile)];
  if (a === b) return a !== '';
  return Math.min(a.length, b.length) >= FEWEST_DIGITS && (a.endsWith(b) || b.endsWith(a));
}

/** Returns the last four digits, by which users recognize an account. */
export function lastFour(number: string): string {
  return plain(number).slice(-FEWEST_DIGITS);
}
