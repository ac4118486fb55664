import { mayFollowPositions } from '@outpost/contract/geo'
import type { FiledPosition } from '@outpost/platform/relay'
import { may } from '../area.ts'
import { isPermitted } from '../session/permission.ts'
import type { Ctx } from '../types.ts'
import type { Connection } from './connection.ts'
import { createViewports, type Viewports } from './viewport.ts'

const followAccess = may(...mayFollowPositions)

/** Tells positions to the sockets that follow them: each what its user reaches, of the stretch of the map it looks at. */
export interface Followers {
  tell(companyId: string, room: Iterable<Connection> | undefined, positions: readonly FiledPosition[]): void
  /** Nobody of the company is there any more. */
  forget(companyId: string): void
}

export function createFollowers(): Followers {
  const viewports = new Map<string, Viewports>()
  return {
    tell(companyId, room, positions) {
      if (!room) return
      const ports = viewports.get(companyId) ?? createViewports()
      viewports.set(companyId, ports)
      tellFollowers(room, positions, ports)
    },
    forget: (companyId) => void viewports.delete(companyId),
  }
}

function tellFollowers(room: Iterable<Connection>, positions: readonly FiledPosition[], viewports: Viewports): void {
  const written = writeOnce(positions)
  let isAnybodyWatching = false
  for (const connection of room) {
    const { ctx, follows } = connection
    if (!follows.has('positions') || !isPermitted(ctx, followAccess)) continue
    const isTold = viewports.filterFor(connection)
    isAnybodyWatching ||= isTold !== undefined
    const json = written(ctx.scope, isTold)
    if (json !== undefined) connection.sendJson('positions', json)
  }
  viewports.remember(positions, isAnybodyWatching)
}

/**
 * The message for a reach, and a stretch of the map, as JSON; undefined when nothing is in it. Each position is written
 * once for all, and so is the whole of a reach.
 */
function writeOnce(positions: readonly FiledPosition[]): (scope: Ctx['scope'], isTold?: (position: FiledPosition) => boolean) => string | undefined {
  const pieces = new Map<FiledPosition, string>()
  const wholes = new Map<string, string | undefined>()
  const pieceOf = (position: FiledPosition) => {
    const { tenantId: _, ...told } = position
    const piece = pieces.get(position) ?? JSON.stringify(told)
    pieces.set(position, piece)
    return piece
  }
  const write = (own: readonly FiledPosition[]) => (own.length === 0 ? undefined : `{"positions":[${own.map(pieceOf).join(',')}]}`)
  return (scope, isTold) => {
    const tenants = scope === '*' ? undefined : new Set(scope)
    const reached = () => positions.filter(({ tenantId }) => tenants?.has(tenantId) ?? true)
    if (isTold) return write(reached().filter(isTold))
    const key = String(scope)
    if (!wholes.has(key)) wholes.set(key, write(reached()))
    return wholes.get(key)
  }
}
