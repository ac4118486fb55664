/** Where the chosen scheme ('light' or 'dark') is remembered on this device. */
export const schemeKey = 'outpost.theme'
