/** A file for threads of their own, as piscina takes it. */
interface WorkerFile {
  filename: string;
  execArgv?: string[];
}

/**
 * The file `name.worker` beside the module at `from`. The bundle has it beside itself; from the sources it is
 * TypeScript, which each thread must be taught to read.
 */
export function workerFile(from: string, name: string): WorkerFile {
  if (!from.endsWith('.ts')) return { filename: new URL(`./${name}.worker.js`, from).href };
  const teach = `data:text/javascript,import { register } from '${import.meta.resolve('tsx/esm/api')}'; register();`;
  return { filename: new URL(`./${name}.worker.ts`, from).href, execArgv: ['--import', teach] };
}
