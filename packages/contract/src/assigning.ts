/** Whom records may be given to, and the records: answered by the candidates call of an assigning action. */
export interface Assignees {
  records: { Id: string; holderIds: string[]; /** Counts among its holders' open ones. */ isOpen: boolean }[]
  /** `open`: how many open records each holds, as far as the caller sees; `place`: where they work. */
  agents: { Id: string; name: string; place: string | null; open: number }[]
}

/** What became of one record of a call that takes many; `message` says why it was not done. */
export interface Verdict {
  Id: string
  isDone: boolean
  message?: string
}
