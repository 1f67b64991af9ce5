import { median, quantile } from './figures.ts';

/** One round of load: the number of finished calls per second, and the duration of each call in ms. */
export interface Round {
  perSecond: number;
  latencies: number[];
  /** The processor time for one call, in microseconds, by process. Empty if the system doesn't report it. */
  cpu: Readonly<Record<string, number>>;
}

/** Work that can be repeated. `worker` is a number from 0 to inFlight − 1. */
export interface Work {
  name: string;
  once(worker: number): Promise<void>;
}

export interface Plan {
  rounds: number;
  milliseconds: number;
  inFlight: number;
  /** Reads the processor time used so far, by process, in microseconds. */
  cpu: () => Record<string, number>;
}

/** Keeps `inFlight` calls running for the given time. Stops at the first failure. */
async function drive(work: Work, { milliseconds, inFlight, cpu }: Plan): Promise<Round> {
  const before = cpu();
  const began = performance.now();
  const latencies: number[] = [];
  const worker = async (index: number): Promise<void> => {
    for (let from = performance.now(); from - began < milliseconds; from = performance.now()) {
      await work.once(index);
      latencies.push(performance.now() - from);
    }
  };
  await Promise.all(Array.from({ length: inFlight }, (_, index) => worker(index)));
  const seconds = (performance.now() - began) / 1000;
  const used = Object.entries(cpu()).map(([name, value]) => [name, (value - (before[name] ?? 0)) / latencies.length]);
  return { perSecond: latencies.length / seconds, latencies, cpu: Object.fromEntries(used) };
}

/**
 * Runs all kinds of work in turn, round after round, so that other load on the machine affects every kind equally. A
 * first, shorter round of each kind is only a warm-up.
 */
export async function interleave(works: readonly Work[], plan: Plan): Promise<Map<string, Round[]>> {
  const rounds = new Map<string, Round[]>(works.map((work) => [work.name, []]));
  for (const work of works) await drive(work, { ...plan, milliseconds: plan.milliseconds / 3 });
  for (let round = 0; round < plan.rounds; round += 1) {
    for (const work of works) rounds.get(work.name)?.push(await drive(work, plan));
  }
  return rounds;
}

/** Combines all rounds of the same kind of work. */
export function summary(rounds: readonly Round[]) {
  const names = Object.keys(rounds[0]?.cpu ?? {});
  const all = rounds.flatMap((round) => round.latencies);
  return {
    perSecond: median(rounds.map((round) => round.perSecond)),
    p50: median(all),
    p99: quantile(all, 0.99),
    cpu: new Map(names.map((name) => [name, median(rounds.map((round) => round.cpu[name] ?? Number.NaN))])),
  };
}

/** Returns the median of the ratios between consecutive rounds. */
export function pairedRatio(rounds: readonly Round[], base: readonly Round[]): number {
  return median(rounds.map((round, index) => round.perSecond / (base[index]?.perSecond ?? Number.NaN)));
}
