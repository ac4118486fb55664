import { recordEventKinds, type RecordEventKind } from '../../kernel/types/record-event.ts'
import { workflowsOf } from '../../kernel/workflow/states.ts'
import type { AnyResource, Area, Operation, Route } from '../../kernel/types.ts'

/** An event that a webhook may be sent, and the call that shows its record: who may not make that call is sent nothing. */
export interface Offer {
  event: string
  kind: RecordEventKind
  label: string
  resource: AnyResource
  route: Route & { operation: Operation }
}
export type Offers = ReadonlyMap<string, Offer>

/** What happens to records that a call shows: made from the resources and routes of the areas. */
export function offersOf(areas: readonly Area[]): Offers {
  const routes = areas.flatMap((area) => area.routes).filter(showsRecord)
  const shown = new Map<AnyResource, Offer['route']>()
  for (const route of routes) if (!shown.has(route.operation.resource)) shown.set(route.operation.resource, route)
  const offers = [...shown].flatMap(([resource, route]) => kindsOf(resource).map((kind) => offerOf(resource, route, kind)))
  return new Map(offers.toSorted((a, b) => a.label.localeCompare(b.label)).map((offer) => [offer.event, offer]))
}

const offerOf = (resource: AnyResource, route: Offer['route'], kind: RecordEventKind): Offer => ({
  event: `${resource.one}.${kind}`,
  kind,
  label: `${resource.label}: ${kind}`,
  resource,
  route,
})

const kindsOf = (resource: AnyResource) =>
  recordEventKinds.filter((kind) => {
    if (kind === 'moved') return workflowsOf(resource).length > 0
    return kind !== 'restored' || resource.isSoftDeleted === true
  })

const showsRecord = (route: Route): route is Route & { operation: Operation & { resource: AnyResource } } =>
  route.operation.kind === 'get' && route.operation.resource !== undefined && !route.operation.resource.remote
