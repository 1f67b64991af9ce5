import 'pdfmake';

/** The library's files in memory, which its types leave out: what is here is found before any file is opened. */
declare module 'pdfmake' {
  export const virtualfs: {
    existsSync(name: string): boolean;
    writeFileSync(name: string, content: Buffer): void;
  };
}
