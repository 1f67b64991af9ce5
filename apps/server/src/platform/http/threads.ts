/** A file for worker threads, in the form that piscina accepts. */
interface WorkerFile {
  filename: string;
  execArgv?: string[];
}

/**
 * Returns the file `name.worker` next to the module `from`. In the bundle, it is a JavaScript file. In the source tree,
 * it is a TypeScript file, and each thread needs a loader for it.
 */
export function workerFile(from: string, name: string): WorkerFile {
  if (!from.endsWith('.ts')) return { filename: new URL(`./${name}.worker.js`, from).href };
  const teach = `data:text/javascript,import { register } from '${import.meta.resolve('tsx/esm/api')}'; register();`;
  return { filename: new URL(`./${name}.worker.ts`, from).href, execArgv: ['--import', teach] };
}
