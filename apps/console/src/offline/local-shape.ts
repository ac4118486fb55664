import type { ListQuery } from '@outpost/contract/envelope'
import type { RecordsPage, Row } from '../data/records.ts'
import type { Saved, SaveRequest } from '../data/saving.ts'
import type { ListSight } from './filter.ts'

/** What the gateway asks of a kind of entity that is kept on the device. */
export interface LocalEntity {
  /** Whether the device can do this in the server's place: kinds that are only read here take no change. */
  mayKeep(what: 'save' | 'read'): boolean
  list(query: ListQuery, view?: ListSight): Promise<RecordsPage>
  /** Lays unsent changes over a page of the server; unsent new rows are at the top of the first page. */
  overlay(page: RecordsPage, query: ListQuery, view?: ListSight): Promise<RecordsPage>
  get(id: string): Promise<Row>
  /** The record with its unsent changes; null when it has none. */
  pendingRecord(id: string): Promise<Row | null>
  hasPending(id: string): Promise<boolean>
  save(request: SaveRequest): Promise<Saved>
  remove(id: string): Promise<void>
  keepServerCopy(record: Row): Promise<void>
}
