import { readdirSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { root } from '../../scripts/checkout.mjs';

/** V8's processor profile. Times are in microseconds on the monotonic clock, as in `process.hrtime`. */
const Profile = z.object({
  startTime: z.number(),
  nodes: z.array(
    z.object({
      id: z.number(),
      callFrame: z.object({
        functionName: z.string(),
        url: z.string(),
        lineNumber: z.number(),
        columnNumber: z.number(),
      }),
      children: z.array(z.number()).optional(),
    }),
  ),
  samples: z.array(z.number()),
  timeDeltas: z.array(z.number()),
});
type Profile = z.output<typeof Profile>;
type Frame = Profile['nodes'][number]['callFrame'];

/** The parts of a request, each with the sources that belong to it. The first match counts. */
const parts: readonly (readonly [part: string, source: RegExp])[] = [
  ['garbage collection', /^\(garbage collector\)$/],
  ['database driver and statements', /node_modules\/(pg|pg-\w+|postgres-\w+|kysely)\/|\/platform\/db\/|\.sql\.ts$/],
  ['decoding and encoding', /node_modules\/zod\/|^packages\/contract\//],
  ['HTTP', /node_modules\/(fastify|@fastify|find-my-way|pino|light-my-request)|\/platform\/http\/|^node:.*(http|zlib)/],
  ['rules', /^packages\/|^apps\/server\/src\/(books|features|across|app)\//],
  ['sockets, timers, and other parts of Node', /^node:|^\(program\)$/],
];
const OTHER = 'other';

/** The names of all parts, in the order in which they are listed. */
export const partNames: readonly string[] = [...parts.map(([part]) => part), OTHER];

/** Finds the sources of functions in the built server. */
class Sources {
  private readonly maps = new Map<string, SourceMap | undefined>();

  private mapOf(file: string): SourceMap | undefined {
    if (!this.maps.has(file)) {
      try {
        this.maps.set(file, new SourceMap(JSON.parse(readFileSync(`${file}.map`, 'utf8'))));
      } catch {
        this.maps.set(file, undefined);
      }
    }
    return this.maps.get(file);
  }

  /** Returns the path of a function's source in the repository, or the name of a part of Node or V8. */
  of({ url, functionName, lineNumber, columnNumber }: Frame): string {
    if (!url.startsWith('file:')) return url === '' ? functionName : url;
    const file = fileURLToPath(url);
    const entry = this.mapOf(file)?.findEntry(lineNumber, columnNumber);
    const source = entry !== undefined && 'originalSource' in entry ? entry.originalSource : undefined;
    return relative(root, source === undefined ? file : resolve(dirname(file), source.replace(/^file:\/\//, '')));
  }
}

/** Reads the only profile in a folder, which Node writes when the process ends. */
export function readProfile(folder: string): Profile {
  const name = readdirSync(folder).find((each) => each.endsWith('.cpuprofile'));
  if (name === undefined) throw new Error('the server did not write a profile');
  return Profile.parse(JSON.parse(readFileSync(join(folder, name), 'utf8')));
}

interface Spent {
  /** Microseconds by part. */
  byPart: Map<string, number>;
  /** Microseconds by function, with its source. */
  byFunction: Map<string, number>;
}

/** Adds up a profile between two times. Time in functions of V8 and Node counts for the function that called them. */
export function spent({ nodes, samples, timeDeltas, startTime }: Profile, from: number, to: number): Spent {
  const sources = new Sources();
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)));
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const known = new Map<number, { part: string; name: string } | undefined>();
  const find = (id: number): { part: string; name: string } | undefined => {
    const frame = byId.get(id)?.callFrame;
    if (frame === undefined || frame.functionName === '(idle)' || frame.functionName === '(root)') return undefined;
    const source = sources.of(frame);
    const part = parts.find(([, pattern]) => pattern.test(source))?.[0] ?? OTHER;
    const name = `${frame.functionName || 'anonymous'} (${source})`;
    const isNative = frame.url === '' && !frame.functionName.startsWith('(');
    const caller = parents.get(id);
    return isNative && caller !== undefined ? find(caller) : { part, name };
  };
  const byPart = new Map<string, number>();
  const byFunction = new Map<string, number>();
  let at = startTime;
  for (const [index, id] of samples.entries()) {
    const delta = timeDeltas[index] ?? 0;
    at += delta;
    if (at < from || at > to) continue;
    if (!known.has(id)) known.set(id, find(id));
    const found = known.get(id);
    if (found === undefined) continue;
    byPart.set(found.part, (byPart.get(found.part) ?? 0) + delta);
    byFunction.set(found.name, (byFunction.get(found.name) ?? 0) + delta);
  }
  return { byPart, byFunction };
}
