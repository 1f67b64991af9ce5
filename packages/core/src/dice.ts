/**
 * A pseudorandom number generator (32-bit mixing). The numbers depend only on the seed, so they are the same on every
 * machine.
 */
export class Dice {
  private state: number;

  constructor(seed: number) {
    this.state = seed | 0;
  }

  /** Returns a whole number from `low` to `high`, inclusive. */
  between(low: number, high: number): number {
    this.state = (this.state + 0x9e3779b9) | 0;
    let mixed = this.state ^ (this.state >>> 16);
    mixed = Math.imul(mixed, 0x21f0aaad);
    mixed ^= mixed >>> 15;
    mixed = Math.imul(mixed, 0x735a2d97);
    mixed ^= mixed >>> 15;
    return low + ((mixed >>> 0) % (high - low + 1));
  }

  chance(percent: number): boolean {
    return this.between(1, 100) <= percent;
  }

  pick<T>(choices: readonly [T, ...T[]]): T {
    return choices[this.between(0, choices.length - 1)] ?? choices[0];
  }

  /** Returns a random element of the list, or undefined if the list is empty. */
  any<T>(all: readonly T[]): T | undefined {
    return all[this.between(0, Math.max(0, all.length - 1))];
  }
}
