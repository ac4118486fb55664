import type { PanelDefinition } from '../types/named.ts'
import type { ActionDefinition, AnyResource } from '../types/resource.ts'

/** Records of a resource that name another record in a field, as a list that belongs to it. */
export interface RelatedPanel {
  resource: AnyResource
  field: string
  title: string
}
/** A tab that an area hangs on the detail of a record of another area (`on`: its `one`), which knows nothing of it. */
export interface AreaPanel {
  on: string
  panel: PanelDefinition | RelatedPanel
}

/** A button that an area puts on the detail of a record of another area (`on`: its `one`). */
export interface AreaAction {
  on: string
  action: ActionDefinition
}

/** A button on the detail of records called so: defineArea({ actions: [offeredOn('clientGroup', openJointLoan)] }). */
export const offeredOn = (one: string, action: ActionDefinition): AreaAction => ({ on: one, action })

/** A tab on the detail of records called so: defineArea({ panels: [on('client', by(loan, 'clientId'))] }). */
export const on = (one: string, panel: PanelDefinition | RelatedPanel): AreaPanel => ({ on: one, panel })

/** The records of a resource whose field names the record, alone or among others; its columns, its screens, and "New" with the field filled in. */
export function by(resource: AnyResource, field: string, title = resource.labelMany): RelatedPanel {
  if (!Object.hasOwn(resource.fields, field)) throw new Error(`${resource.one} has no field ${field}`)
  return { resource, field, title }
}
