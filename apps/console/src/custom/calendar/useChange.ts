import { call } from '../../data/calls.ts'
import { keys } from '../../data/keys.ts'
import { queryClient } from '../../data/query-client.ts'
import type { Row } from '../../data/records.ts'
import { toast } from '../../feedback/toast.ts'
import { t } from '../../session/labels.ts'
import { explainFailure, rowId } from '../../view/actions/call.ts'

export interface Times {
  startDate: string
  endDate: string
}

const refresh = () => queryClient.invalidateQueries({ queryKey: keys.records('activity') })

async function put(id: string, times: Times): Promise<void> {
  await call('activities.update', { params: { id }, body: { ...times } })
  await refresh()
}

/** Moves an activity and offers to undo it, or calls `revert` and shows why it failed. Times are ISO 8601. */
export async function changeTimes(row: Row, times: Times, revert: () => void): Promise<void> {
  const before = { startDate: String(row.startDate), endDate: String(row.endDate ?? row.startDate) }
  const refused = (error: unknown) => {
    const { message } = explainFailure(error)
    toast.danger({ title: `${String(row.name ?? '')}: ${t('not moved')}`, body: message, seconds: 12 })
  }
  try {
    await put(rowId(row, 'Id'), times)
  } catch (error) {
    revert()
    refused(error)
    return
  }
  const undo = () => {
    put(rowId(row, 'Id'), before).then(() => toast.info({ title: t('Undone') }), refused)
  }
  toast.success({ title: `${String(row.name ?? '')}: ${t('moved')}`, action: { label: t('Undo'), run: undo } })
}
