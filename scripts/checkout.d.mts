/** The root folder of the checkout, independent of the current directory. */
export declare const root: string;
/** Prints a progress message to stderr. */
export declare const say: (line: string) => void;
/** Returns whether the module with this URL is the program that was started. */
export declare const isMain: (url: string) => boolean;
/** Runs `work` while holding the checkout's lock `name`. Takes over the lock of a dead process. */
export declare function withLock<T>(name: string, work: () => T | Promise<T>): Promise<T>;
