import { EventEmitter } from 'node:events'
import type { AnyResource, Ctx } from '../types.ts'

/** Records of a resource that changed in a company; ids only, for it crosses processes. */
export interface RecordsChanged {
  companyId: string
  /** `one` of the resource. */
  resource: string
  ids: readonly string[]
  op: 'created' | 'updated' | 'removed'
  /** Tenants the rows are (or were) filed in; empty when the resource is not cut to reach. */
  tenantIds: readonly string[]
  /** People from whom the rows are hidden. */
  exceptUserIds?: readonly string[]
}

/** Where records are filed, and the people from whom they are hidden. */
type Filed = Pick<RecordsChanged, 'tenantIds' | 'exceptUserIds'>
type Listener = (change: RecordsChanged) => void
type Relay = (change: RecordsChanged) => void

const local = new EventEmitter().setMaxListeners(50)
let relay: Relay | undefined

/**
 * Tells everybody who shows these records that they changed, once the transaction has committed: this process at
 * once, the others through the relay.
 */
export function announce(
  ctx: Pick<Ctx, 'company' | 'afterCommit'>,
  resource: Pick<AnyResource, 'one'>,
  ids: readonly string[],
  op: RecordsChanged['op'],
  filed: readonly string[] | Filed = [],
): void {
  if (ids.length === 0) return
  const place = 'tenantIds' in filed ? filed : { tenantIds: filed }
  const change: RecordsChanged = { companyId: ctx.company.id, resource: resource.one, ids, op, ...place }
  ctx.afterCommit(() => {
    relay?.(change)
    receiveChange(change)
  })
}

/** How changes leave this process; set once at start, by whoever owns the relay. Must not throw. */
export function setRelay(send: Relay | undefined): void {
  relay = send
}

/** A change made by another process, as it comes over the relay: passed to the listeners here, not sent on. */
export function receiveChange(change: RecordsChanged): void {
  local.emit('changed', change)
}

/** Calls the listener at each change, made here or elsewhere; returns what ends that. */
export function onRecordsChanged(listener: Listener): () => void {
  local.on('changed', listener)
  return () => void local.off('changed', listener)
}
