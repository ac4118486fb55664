import { Failure } from '@outpost/contract/errors'
import type { ServerEvents } from '@outpost/contract/events'
import { sql } from '@outpost/platform/db/sql'
import { later } from '../session/clock.ts'
import type { SessionServices } from '../session/services.ts'
import { renewCtx } from '../session/tokens/ticket.ts'
import { closeCodes, type Connection } from './connection.ts'
import type { Hub } from './hub.ts'

type EndReason = ServerEvents['session.ended']['reason']

/** Looks up the rights behind a socket afresh; closes it when the session is over or the user may not work there. */
export async function recheck(connection: Connection, services: SessionServices, known?: EndReason): Promise<void> {
  const { user, sessionId } = connection.ctx
  services.identities.forget({ companyId: user.companyId, userId: user.id, sessionId })
  try {
    connection.ctx = await renewCtx(connection.ctx, services)
  } catch (error) {
    if (!(error instanceof Failure)) {
      // The database is away: the socket sends nothing it may not, for it carries only what other requests save.
      services.log.warn({ err: error }, 'a socket could not be checked')
      return
    }
    const reason = reasonOf(error) ?? known ?? 'expired'
    connection.send('session.ended', { reason })
    connection.end(closeCodes.sessionEnded, reason)
  }
}

const reasonOf = ({ failure }: Failure): EndReason | undefined =>
  failure === 'USER_DISABLED' ? 'disabled' : failure === 'DEVICE_SIGNED_OUT' ? 'wiped' : undefined

/**
 * Every four seconds one query finds the sessions that have ended, in case no message about their end
 * came through; those sockets are looked at one by one, so all are closed within five seconds.
 */
export function startRechecks(hub: Hub, services: SessionServices, everyMs = 4_000): () => void {
  let isRunning = false
  const look = async () => {
    const connections = [...hub.all()]
    if (connections.length === 0) return
    const open = await openSessions(services, [...new Set(connections.map(({ ctx }) => ctx.sessionId))])
    await Promise.all(connections.filter(({ ctx }) => !open.has(ctx.sessionId)).map((connection) => recheck(connection, services)))
  }
  const timer = setInterval(() => {
    if (isRunning) return
    isRunning = true
    look()
      .catch((error: unknown) => services.log.warn({ err: error }, 'sockets could not be checked'))
      .finally(() => {
        isRunning = false
      })
  }, everyMs)
  timer.unref()
  return () => clearInterval(timer)
}

/** Impersonations never count as open here: theirs depends on more than their own row. */
async function openSessions({ store, clock }: SessionServices, ids: readonly string[]): Promise<Set<string>> {
  const rows = await store.sql.query<{ id: string }>(sql`
    select s."id" from session s join app_user u on u."companyId" = s."companyId" and u."id" = s."userId"
    where s."id" = any(${ids}::uuid[]) and s."endedAt" is null and s."expiresAt" > ${later(clock)} and s."actorUserId" is null
      and u."status" = 1 and u."deletedAt" is null`)
  return new Set(rows.map((row) => row.id))
}
