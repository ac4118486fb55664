import type { Access } from '@outpost/contract/permissions'
import { isPermitted } from '../session/permission.ts'
import type { RemotePalette } from '../types/resource.ts'
import type { AnyResource, Ctx, Operation, Route } from '../types.ts'
import type { Hit } from '../screens/palette-hit.ts'

/** A kind of record that another service keeps and that the palette finds. */
export interface RemotePlace extends RemotePalette {
  resource: AnyResource
  /** That of its list. */
  access: Access
  find: NonNullable<Operation['find']>
}

/** The remote resources that declare a palette, with the list that finds their records. */
export function remotePlaces(routes: readonly Route[]): RemotePlace[] {
  return routes.flatMap(({ access, operation }) => {
    if (operation.kind !== 'list' || !operation.find || !operation.resource?.remote?.palette) return []
    return [{ ...operation.resource.remote.palette, resource: operation.resource, access, find: operation.find }]
  })
}

/** How long the palette waits for another service. What it finds later, the next search shows. */
const patienceMs = 1_000

/** What the service finds for the text; nothing where the caller may not see its list, or while the service is away or slow. */
export async function remoteHits(ctx: Ctx, place: RemotePlace, { text, size }: { text: string; size: number }): Promise<Hit[]> {
  if (!isPermitted(ctx, place.access)) return []
  const found = place.find(ctx, text, size).catch((error: unknown) => {
    ctx.log.warn({ err: error, resource: place.resource.one }, 'search')
    return []
  })
  const rows = await Promise.race([found, new Promise<never[]>((done) => setTimeout(done, patienceMs, []).unref())])
  return rows.map((row) => hitOf(place, row))
}

function hitOf({ resource, subtitle, open, tail = '', branch }: RemotePlace, row: Record<string, unknown>): Hit {
  const textOf = (key: string) => (typeof row[key] === 'string' && row[key] !== '' ? row[key] : null)
  const Id = String(row['Id'])
  return {
    resource: resource.one,
    Id,
    title: textOf(resource.title),
    subtitle: subtitle.flatMap((key) => textOf(key) ?? []).join(' · '),
    place: branch === undefined ? null : textOf(`${branch}Label`),
    screen: `${open}${Id}${tail}`,
    isPerson: false,
  }
}
