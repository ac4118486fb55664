import { chunk } from 'es-toolkit/array/chunk'
import type { Assignees, Verdict } from '@outpost/contract/assigning'
import type { AssignView, CallView } from '@outpost/contract/views'
import { api } from '../../data/api.ts'
import { bulkSize } from '../kinds/list/bulk/bulk.ts'
import type { BulkFailure } from '../kinds/list/bulk/bulk.ts'

/** One record and who gets it. */
export interface Share {
  id: string
  userId: string
}

/** Whom the records may be given to, and where all of them are. */
export async function readAssignees({ candidates }: AssignView, ids: readonly string[], signal?: AbortSignal): Promise<Assignees> {
  const parts: Assignees[] = []
  for (const some of chunk(ids, bulkSize))
    parts.push(
      (await api.call<Assignees & Record<string, unknown>>(candidates.method, candidates.path, { body: { ids: some }, signal })).data,
    )
  return { agents: parts[0]?.agents ?? [], records: parts.flatMap(({ records }) => records) }
}

/** Gives as many as a call takes; what the server refused of them comes back with the reason. */
export const giveShares = (call: CallView, assignments: readonly Share[]): Promise<BulkFailure[]> => refusedOf(call, { assignments })

/** Takes given records back, however many; what was not taken back comes back with the reason. */
export async function takeBack(undo: CallView, ids: readonly string[]): Promise<BulkFailure[]> {
  const refused: BulkFailure[] = []
  for (const some of chunk(ids, bulkSize)) refused.push(...(await refusedOf(undo, { ids: some })))
  return refused
}

async function refusedOf({ method, path }: CallView, body: object): Promise<BulkFailure[]> {
  const { results } = (await api.call<{ results: Verdict[] }>(method, path, { body })).data
  return results.flatMap(({ Id, isDone, message = '' }) => (isDone ? [] : [{ id: Id, message }]))
}
