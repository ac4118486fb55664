import { api } from '../../data/api.ts'
import { call } from '../../data/calls.ts'
import { keys } from '../../data/keys.ts'
import { fillPath } from '../../data/paths.ts'
import { queryClient } from '../../data/query-client.ts'
import type { Row } from '../../data/records.ts'
import { currentOffline } from '../../offline/current.ts'
import { keptKind } from '../../offline/kinds.ts'
import type { Attention } from '../../offline/store/shapes.ts'
import { recount } from '../../offline/sync/status.ts'

export const attentionKey = ['attention'] as const

function offline() {
  const open = currentOffline()
  if (!open) throw new Error('The data of this device is locked. Sign in again.')
  return open
}

async function done(type: string): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: attentionKey }),
    queryClient.invalidateQueries({ queryKey: keys.records(type) }),
    recount(),
  ])
  void currentOffline()?.loop.trigger('write')
}

/** Sends the change again with corrected values. */
export async function sendAgain(attention: Attention, values: Row): Promise<void> {
  await offline().store.attention.retry(attention.changeId, values)
  await done(attention.entityType)
}

export async function giveUp(attention: Attention): Promise<void> {
  await offline().store.attention.discard(attention.changeId)
  await done(attention.entityType)
}

/** Adds my values to the record that exists already; needs a connection to read it as it is now. */
export async function addToExisting(attention: Attention): Promise<void> {
  const id = attention.existingId
  if (!id) throw new Error('The existing record may not be seen by you. Ask the office.')
  const kind = keptKind(attention.entityType)
  if (!kind?.get) throw new Error('Records of this kind cannot be read one by one.')
  const { data } = await api.get<Record<string, Row>>(fillPath(kind.get, { id }))
  await offline().store.attention.mergeIntoExisting(attention.changeId, { ...data[kind.type], Id: id })
  await done(attention.entityType)
}

/** Decides fields that both sides changed: `mine` are sent again, the others stay as the office has them. */
export async function decide(attention: Attention, mine: readonly string[]): Promise<void> {
  const values = Object.fromEntries(
    attention.conflicts.filter(({ field }) => mine.includes(field)).map(({ field, mine: value }) => [field, value]),
  )
  if (mine.length === 0) await offline().store.attention.discard(attention.changeId)
  else await offline().store.attention.retry(attention.changeId, values)
  await done(attention.entityType)
  await closeAtOffice(attention, mine)
}

interface OfficeConflict {
  Id: string
  entityId: string
  field: string
  state: string
}

/** Closes the office's own entries of these conflicts; without a connection they stay open there for a manager. */
async function closeAtOffice({ entityId, conflicts }: Attention, mine: readonly string[]): Promise<void> {
  try {
    const { data } = await call('sync.conflicts')
    for (const { Id, entityId: id, field, state } of data.conflicts as OfficeConflict[]) {
      if (state !== 'open' || id !== entityId || !conflicts.some((conflict) => conflict.field === field)) continue
      await call('sync.resolveConflict', { body: { id: Id, resolution: mine.includes(field) ? 'mine' : 'theirs' } })
    }
  } catch (error) {
    console.info('The conflict stays open at the office.', error)
  }
}
