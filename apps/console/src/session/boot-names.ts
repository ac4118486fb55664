/** Where the browser keeps that this device probably has a session. */
export const hintKey = 'outpost.session'

/** The name of the lock under which tabs take turns at the refresh cookie. */
export const refreshLock = 'outpost-refresh'
