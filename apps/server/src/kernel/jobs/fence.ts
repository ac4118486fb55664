import { behindFence, LostTry, outsideFence } from '@outpost/platform/fence'
import { shareOutbox, type OutboxTicket } from '@outpost/platform/outbox'
import type { Ctx } from '../types.ts'

export interface FencedTry {
  ctx: Ctx
  ticket: OutboxTicket
  /** Asks the database whether the try still owns its entry. */
  isOurs: () => Promise<boolean>
  /** Called at the first effect that is refused. */
  onLost: (error: LostTry) => void
}

/**
 * Runs a long job so that none of its effects outlives its try. A transaction of its ctx takes hold of the entry, so
 * that nobody else begins before it ends; everything else (mails, messages, the other doors to the database) asks first.
 */
export function runFenced<Result>({ ctx, ticket, isOurs, onLost }: FencedTry, run: (ctx: Ctx) => Promise<Result>): Promise<Result> {
  const refuse = (): never => {
    const error = new LostTry('The job was given to another worker')
    onLost(error)
    throw error
  }
  const fence = async () => {
    if (!(await outsideFence(isOurs))) refuse()
  }
  const fenced: Ctx = {
    ...ctx,
    transaction: (inside) =>
      outsideFence(() =>
        ctx.transaction(async (inner) => {
          if (!(await shareOutbox(inner.sql, ticket))) refuse()
          return inside(inner)
        }),
      ),
  }
  return behindFence(fence, () => run(fenced))
}
