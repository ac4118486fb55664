/** The languages the console speaks; English is the original of every text. The console imports these at run time, so there is no zod here. */
export const languageCodes = ['en', 'fr', 'pt', 'sw'] as const
/** The looks of the left menu. */
export const sidebars = ['light', 'dark', 'colored', 'compact', 'icon'] as const
export const widths = ['fluid', 'boxed'] as const
export const densities = ['comfortable', 'medium', 'compact'] as const
