import { mayFollowEvents, mayFollowPositions } from '@outpost/contract/geo/calls'
import type { Access } from '@outpost/contract/permissions'
import type { FiledPosition, RelayTopics } from '@outpost/platform/relay'
import { may } from '../area.ts'
import { isSeenBy } from '../session/asset-wall.ts'
import { isPermitted } from '../session/permission.ts'
import type { Ctx } from '../types.ts'
import type { Connection, Followed } from './connection.ts'
import { createViewports, type Viewports } from './viewport.ts'

type FiledEvent = RelayTopics['geo.events']['events'][number]

const access: Readonly<Record<Followed, Access>> = { positions: may(...mayFollowPositions), events: may(...mayFollowEvents) }
const mayFollow = ({ ctx, follows }: Connection, what: Followed) => follows.has(what) && isPermitted(ctx, access[what])

/** Tells the sockets that follow them: each what its user reaches, positions of the stretch of the map it looks at. */
export interface Followers {
  tellPositions(companyId: string, room: Iterable<Connection> | undefined, positions: readonly FiledPosition[]): void
  tellEvents(room: Iterable<Connection> | undefined, events: readonly FiledEvent[]): void
  /** Nobody of the company is there any more. */
  forget(companyId: string): void
}

export function createFollowers(): Followers {
  const viewports = new Map<string, Viewports>()
  return {
    tellPositions(companyId, room, positions) {
      if (!room) return
      const ports = viewports.get(companyId) ?? createViewports()
      viewports.set(companyId, ports)
      tellPositions(room, positions, ports)
    },
    tellEvents(room, events) {
      const written = writeOnce('events', events)
      for (const connection of room ?? []) if (mayFollow(connection, 'events')) send(connection, 'events', written(connection.ctx))
    },
    forget: (companyId) => void viewports.delete(companyId),
  }
}

function tellPositions(room: Iterable<Connection>, positions: readonly FiledPosition[], viewports: Viewports): void {
  const written = writeOnce('positions', positions)
  let isAnybodyWatching = false
  for (const connection of room) {
    if (!mayFollow(connection, 'positions')) continue
    const isTold = viewports.filterFor(connection)
    isAnybodyWatching ||= isTold !== undefined
    send(connection, 'positions', written(connection.ctx, isTold))
  }
  viewports.remember(positions, isAnybodyWatching)
}

function send(connection: Connection, what: Followed, json: string | undefined): void {
  if (json !== undefined) connection.sendJson(what, json)
}

/**
 * The message for a reach, and a stretch of the map, as JSON; undefined when nothing is in it. Each row is written once
 * for all, and so is the whole of a reach.
 */
function writeOnce<Row extends { tenantId: string; seenBy: readonly string[] | null }>(
  what: Followed,
  rows: readonly Row[],
): (ctx: Ctx, isTold?: (row: Row) => boolean) => string | undefined {
  const hasWalls = rows.some(({ seenBy }) => seenBy !== null)
  const pieces = new Map<Row, string>()
  const wholes = new Map<string, string | undefined>()
  const pieceOf = (row: Row) => {
    const { tenantId: _, seenBy: __, ...told } = row
    const piece = pieces.get(row) ?? JSON.stringify(told)
    pieces.set(row, piece)
    return piece
  }
  const write = (own: readonly Row[]) => (own.length === 0 ? undefined : `{"${what}":[${own.map(pieceOf).join(',')}]}`)
  return (ctx, isTold) => {
    const { scope } = ctx
    const tenants = scope === '*' ? undefined : new Set(scope)
    const reached = () => rows.filter(({ tenantId, seenBy }) => (tenants?.has(tenantId) ?? true) && isSeenBy(ctx, seenBy))
    if (isTold) return write(reached().filter(isTold))
    // Without an asset wall everybody within a reach gets the same message.
    const key = hasWalls ? `${String(scope)} ${String(ctx.isGlobalAdministrator)} ${ctx.roles.join('\n')}` : String(scope)
    if (!wholes.has(key)) wholes.set(key, write(reached()))
    return wholes.get(key)
  }
}
