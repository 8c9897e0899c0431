/**
 * UTF-16 units of a text that is planned. Every unit takes a byte at least, so a longer one is above the size up to
 * which files are edited at all, whatever their encoding.
 */
export const TEXT_UNITS_MAX = 50 * 1024 * 1024;

/**
 * Units that the new texts of one edit may have together before anything is cut away from them: a bound for memory,
 * asked before they are put together.
 */
export const INSERTED_UNITS_MAX = 4 * TEXT_UNITS_MAX;
