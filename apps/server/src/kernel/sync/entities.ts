import { mayAccess } from '@outpost/rules/people/permission'
import type { MergeClass } from '@outpost/rules/sync/merge'
import type { Access } from '@outpost/contract/permissions'
import type { ChangeRecord } from '@outpost/contract/sync/protocol'
import { isComputed, isRelation } from '../relations/relations.ts'
import type { AnyResource, Area, Ctx, Route } from '../types.ts'
import type { MergeClasses } from './resolve.ts'
import type { OfflineCommand } from './offline-command.ts'

/** One kind of record that devices hold: who may do what with it, and how its fields merge. */
export interface SyncEntity {
  resource: AnyResource
  /** The same access as the routes that do this online. */
  access: { read?: Access; insert?: Access; update?: Access; remove?: Access }
  classes: MergeClasses
  /** Calls that come as changes, by the one field of their patch. */
  commands: ReadonlyMap<string, SyncCommand>
}
export interface SyncCommand extends OfflineCommand {
  access: Access
}
export type SyncEntities = ReadonlyMap<string, SyncEntity>

/** The synced entities of the areas, by entity type (the resource's `one`); a device may do what its user may do online. */
export function syncEntities(areas: readonly Area[]): SyncEntities {
  const routes = areas.flatMap((area) => area.routes)
  const resources = areas.flatMap((area) => area.resources).filter(({ offline }) => offline !== undefined && offline !== 'list')
  return new Map(
    resources.map((resource) => [
      resource.one,
      {
        resource,
        classes: mergeClasses(resource),
        commands: commandsOf(routes, resource),
        access: {
          read: accessOf(routes, resource, 'list'),
          insert: accessOf(routes, resource, 'create'),
          update: accessOf(routes, resource, 'update'),
          remove: accessOf(routes, resource, 'remove'),
        },
      },
    ]),
  )
}

function accessOf(routes: readonly Route[], resource: AnyResource, kind: string): Access | undefined {
  return routes.find(({ operation }) => operation.kind === kind && 'resource' in operation && operation.resource === resource)?.access
}

function commandsOf(routes: readonly Route[], resource: AnyResource): Map<string, SyncCommand> {
  const found = routes.flatMap(({ access, options: { offline } }) => (offline?.entity === resource.one ? [{ ...offline, access }] : []))
  return new Map(found.map((command) => [command.field, command]))
}

/** Fields a device may change: those of the form and those that say how they merge. */
function mergeClasses(resource: AnyResource): MergeClasses {
  const classes = new Map<string, MergeClass>()
  for (const [key, field] of Object.entries(resource.fields)) {
    if (isComputed(field)) continue
    if (field.merge) classes.set(key, field.merge)
    else if (!field.readOnly)
      classes.set(key, field.createOnly ? 'server' : isRelation(field) ? (field.kind === 'lines' ? 'lines' : 'set') : 'threeWay')
  }
  return classes
}

/** The command that a change is; undefined for one that edits fields. */
export function commandOf(
  entity: SyncEntity | undefined,
  { changeType, patch }: Pick<ChangeRecord, 'changeType' | 'patch'>,
): SyncCommand | undefined {
  const fields = Object.keys(patch)
  return changeType === 'UPDATE' && fields.length === 1 ? entity?.commands.get(fields[0] ?? '') : undefined
}

/** True when the caller may do this to the entity; what no route offers, nobody may. */
export function maySync(ctx: Ctx, entity: SyncEntity, what: keyof SyncEntity['access']): boolean {
  const access = entity.access[what]
  return access !== undefined && mayAccess(ctx, access)
}
