/** Changes in one push, at most; a larger batch is answered 413 and the client halves it. */
export const maxPushChanges = 500
/** Rows of one pull page; rows of one sequence number are never split. */
export const pullPageSize = 2_000
/** Version of the change record; the server understands this one and three before it, see kernel/sync/upgrades.ts. */
export const changeSchema = 1
export const syncProtocol = 1
