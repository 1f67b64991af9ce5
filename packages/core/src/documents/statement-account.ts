/** Account numbers as bank files write them: with zeros in front, spaces, or all but the last digits hidden. */

const FEWEST_DIGITS = 4;

function plain(number: string): string {
  const shown = number.toUpperCase().replace(/[^\p{L}\p{N}*•]/gu, '');
  // The hidden digits (XXXX1234, ****1234) say nothing.
  return shown.replace(/^.*[X*•](?=\d)/, '').replace(/^0+(?=.)/, '');
}

/** Whether a file's account number is that of a banking account: the same, or the end of it where one is shortened. */
export function isAccountOfFile(number: string, ofFile: string): boolean {
  const [a, b] = [plain(number), plain(ofFile)];
  if (a === b) return a !== '';
  return Math.min(a.length, b.length) >= FEWEST_DIGITS && (a.endsWith(b) || b.endsWith(a));
}

/** The last four digits, as people know an account. */
export function lastFour(number: string): string {
  return plain(number).slice(-FEWEST_DIGITS);
}
