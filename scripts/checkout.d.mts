/** The checkout's root folder, whatever the current directory is. */
export declare const root: string;
/** Writes a line of progress to stderr. */
export declare const say: (line: string) => void;
/** Whether the module with this URL is the program that was started. */
export declare const isMain: (url: string) => boolean;
/** Runs `work` while holding the checkout's lock `name`. */
export declare function withLock<T>(name: string, work: () => T | Promise<T>): Promise<T>;
