import type { Meta } from '@outpost/contract/envelope'

/** A record as the wire carries it. */
export type Row = Record<string, unknown> & { Id?: string }

/** Key under which a row says its state: 'pending' (to be sent) or 'attention' (refused); absent when the server has all of it. */
export const rowStateKey = '_state'

/** Where rows came from: the server, or the store on this device. */
export type Source = 'server' | 'device'
export interface RecordsPage {
  rows: Row[]
  meta: Meta
  source: Source
}
