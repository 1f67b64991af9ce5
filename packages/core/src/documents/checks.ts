/**
 * Returns the next check number after a number that consists of digits. Keeps leading zeros: "0099" is followed by
 * "0100". The number may have more digits than a safe integer.
 */
export function nextCheckNumber(number: string, after = 1): string {
  return (BigInt(number) + BigInt(after)).toString().padStart(number.length, '0');
}
