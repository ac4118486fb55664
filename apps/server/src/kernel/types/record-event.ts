/** What can happen to a record; `moved` to one with a workflow. */
export const recordEventKinds = ['created', 'updated', 'moved', 'removed', 'restored'] as const
export type RecordEventKind = (typeof recordEventKinds)[number]

/** Something that happened to a record: `event` is <one>.<kind>. */
export interface RecordEvent {
  event: string
  objectId: string
  /** Tenants it was and is filed under; none for records that are filed under none. */
  tenantIds: readonly string[]
  move: { field: string; name: string; from: string | null; to: string } | null
  /** People from whom it is hidden. */
  hiddenFrom: readonly string[]
}
