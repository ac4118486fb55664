import { gauge } from '@outpost/platform/http/metrics'
import type { ServerEventName, ServerEvents } from '@outpost/contract/events'
import type { Access } from '@outpost/contract/permissions'
import type { RelayTopics } from '@outpost/platform/relay'
import { isPermitted } from '../session/permission.ts'
import { closeCodes, socketLimits, type Connection, type Followed } from './connection.ts'
import { createFollowers } from './followers.ts'

type SessionChange = RelayTopics['session.changed']
type UserMessage = RelayTopics['user.message']
type PositionsChange = RelayTopics['geo.positions']
type EventsChange = RelayTopics['geo.events']
type RecordsChange = RelayTopics['records.changed']

/** The open sockets of this process, by the company they work in. */
export interface Hub {
  add(connection: Connection): void
  remove(connection: Connection): void
  all(): Iterable<Connection>
  /** To the sockets of a user in a company, or of one of the user's sessions. */
  sendToUser(message: UserMessage): void
  /** To the sockets of the company whose user may list the resource and reaches a tenant of the rows. */
  tellRecords(change: RecordsChange): void
  /** To the sockets of the company that follow positions, each what its user reaches. */
  tellPositions(change: PositionsChange): void
  /** The same of events. */
  tellEvents(change: EventsChange): void
  /** Companies somebody follows the positions or events of. */
  followed(what: Followed): string[]
  /** The sockets a change of sessions is about. */
  concerned(change: SessionChange): Connection[]
  closeAll(code: number, reason: string): void
}

/** @param listAccess gives, by resource, the access of each call that lists it */
export function createHub(listAccess: ReadonlyMap<string, readonly Access[]>): Hub {
  const rooms = new Map<string, Set<Connection>>()
  const followers = createFollowers()
  const all = function* () {
    for (const room of rooms.values()) yield* room
  }
  return {
    all,
    add(connection) {
      const { id: company } = connection.ctx.company
      rooms.set(company, (rooms.get(company) ?? new Set()).add(connection))
      sockets.inc()
      replaceOldest(all(), connection)
    },
    remove(connection) {
      const company = connection.ctx.company.id
      const room = rooms.get(company)
      if (room?.delete(connection)) sockets.dec()
      if (room?.size !== 0) return
      rooms.delete(company)
      followers.forget(company)
    },
    sendToUser({ companyId, userId, sessionId, event, data }) {
      for (const connection of rooms.get(companyId) ?? []) {
        const { ctx } = connection
        if (ctx.user.id !== userId || (sessionId !== undefined && ctx.sessionId !== sessionId)) continue
        connection.send(event as ServerEventName, data as ServerEvents[ServerEventName])
      }
    },
    tellRecords(change) {
      const access = listAccess.get(change.resource) ?? []
      for (const connection of rooms.get(change.companyId) ?? []) {
        if (!access.some((one) => isPermitted(connection.ctx, one))) continue
        const { user, realUser } = connection.ctx
        if (change.exceptUserIds?.some((id) => id === user.id || id === realUser.id)) continue
        const ids = idsInReach(connection, change)
        if (ids) connection.send('records.changed', { resource: change.resource, ids: [...ids], op: change.op })
      }
    },
    tellPositions: ({ companyId, positions }) => followers.tellPositions(companyId, rooms.get(companyId), positions),
    tellEvents: ({ companyId, events }) => followers.tellEvents(rooms.get(companyId), events),
    followed: (what) => [...rooms].filter(([, room]) => room.values().some(({ follows }) => follows.has(what))).map(([company]) => company),
    concerned: ({ companyId, userId, sessionId }) =>
      [...all()].filter(({ ctx }) => {
        if (sessionId !== undefined && ctx.sessionId === sessionId) return true
        if (userId !== undefined) return ctx.user.id === userId || ctx.realUser.id === userId
        // A session may be the parent of an impersonation, which carries another id: its sockets look again too.
        if (sessionId !== undefined) return ctx.realUser.id !== ctx.user.id
        return ctx.user.companyId === companyId || ctx.company.id === companyId
      }),
    closeAll(code, reason) {
      for (const connection of [...all()]) connection.end(code, reason)
    },
  }
}

const sockets = gauge('sockets_open', 'Open sockets of consoles in this process')

/** Ids the socket may hear of; none named (ask again for all) when rows beyond its reach are among them; undefined: not its business. */
function idsInReach({ ctx }: Connection, { ids, tenantIds }: RecordsChange): readonly string[] | undefined {
  const { scope } = ctx
  if (scope === '*' || tenantIds.length === 0) return ids
  const reached = tenantIds.filter((id) => scope.includes(id))
  if (reached.length === 0) return undefined
  return reached.length === tenantIds.length ? ids : []
}

/** A user keeps the newest five sockets; a sixth takes the place of the oldest, whose session goes on. */
function replaceOldest(connections: Iterable<Connection>, { ctx }: Connection): void {
  const own = [...connections].filter((one) => one.ctx.user.id === ctx.user.id).sort((one, other) => one.openedAt - other.openedAt)
  for (const oldest of own.slice(0, Math.max(0, own.length - socketLimits.socketsAUser))) oldest.end(closeCodes.madeRoom, 'made room')
}
