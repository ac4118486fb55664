import type { FieldView } from '@outpost/contract/fields'
import type { FormView } from '@outpost/contract/views'
import { useConnection } from '../../../data/connection.ts'
import { keptKind } from '../../../offline/kinds.ts'
import { useSyncStatus } from '../../../offline/sync/status.ts'

/** The fields of a form, and whether this device keeps its record: without a connection, what only the server takes is shown and not asked for. */
export function useKeptFields(view: FormView): { fields: FieldView[]; isKept: boolean } {
  const { isOnline } = useConnection()
  const isKept = useSyncStatus().isOpen && view.offline !== undefined
  const kind = isKept && !isOnline ? keptKind(view.offline ?? '') : undefined
  if (!kind) return { fields: view.fields, isKept }
  const mayEnter = (key: string) => kind.entered.includes(key) || key in kind.defaults
  return { fields: view.fields.map((field) => (mayEnter(field.key) ? field : { ...field, readOnly: true })), isKept }
}
