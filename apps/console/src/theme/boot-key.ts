/** The storage key of the chosen scheme ('light' or 'dark') on this device. */
export const schemeKey = 'outpost.theme'
