/** A file for worker threads, as piscina accepts it. */
interface WorkerFile {
  filename: string;
  execArgv?: string[];
}

/**
 * Returns the file `name.worker` next to the module at `from`. In the bundle, it is a JavaScript file. In the source
 * tree, it is TypeScript, and each thread needs a loader.
 */
export function workerFile(from: string, name: string): WorkerFile {
  if (!from.endsWith('.ts')) return { filename: new URL(`./${name}.worker.js`, from).href };
  const teach = `data:text/javascript,import { register } from '${import.meta.resolve('tsx/esm/api')}'; register();`;
  return { filename: new URL(`./${name}.worker.ts`, from).href, execArgv: ['--import', teach] };
}
