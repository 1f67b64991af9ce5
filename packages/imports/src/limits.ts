/** The maximum size of one file in bytes. */
export const MAX_BYTES = 100 * 1024 * 1024;
/** The maximum unpacked size of an archive or workbook in bytes. */
export const MAX_UNPACKED = 400 * 1024 * 1024;
/** The maximum ratio of an entry's unpacked size to its compressed size. Workbooks have ratios of up to 40. */
export const MAX_RATIO = 150;
/** The unpacked size in bytes below which any ratio is allowed. */
export const SMALL_ENTRY = 4 * 1024 * 1024;
/** The maximum number of files that are read together, including the files in archives. */
export const MAX_FILES = 200;
/** The maximum number of rows in a table. */
export const MAX_ROWS = 5_000_000;
/** The maximum number of columns in a table. */
export const MAX_COLUMNS = 300;
/** The maximum number of characters in a cell. */
export const MAX_CELL = 50_000;
/** The maximum number of transactions in one set of books. */
export const MAX_TRANSACTIONS = 500_000;
