import type { Ctx } from '../types/ctx.ts'

/** What runs beside requests: a job of an area, one of its tries, and one that has died. */
export interface JobDefinition<Data = Record<string, unknown>> {
  /** area.verb; the outbox type. Names that begin with `reports.` have workers of their own. */
  name: string
  /**
   * By default run gets a ctx inside one transaction, which also marks the job done: its effect is there exactly once.
   * With ownTransaction it gets a plain ctx, may last for minutes and speak to the outside; it can then run twice, so
   * the id goes along as idempotency key. Effects of a try that was given to another meanwhile fail with LostTry.
   */
  ownTransaction?: boolean
  /** Waits for machines of others: it has workers of its own, so that a slow one keeps nothing else waiting. */
  isOutgoing?: boolean
  run(ctx: Ctx, data: Data, job: RunningJob): Promise<void>
  /** Ends what the job was about, once, as the program: no further try will follow (five failed, the person is gone). */
  whenDead?(ctx: Ctx, data: Data, job: DeadJob): Promise<void>
}
export interface DeadJob {
  id: string
  userId: string | null
  lastError: string
}
/** `signal` aborts when the worker ends or the job was taken for lost and given to another. */
export interface RunningJob {
  id: string
  attempt: number
  signal: AbortSignal
}
