import type { ActionView } from '@outpost/contract/views'
import { t } from '../../session/labels.ts'
import { FieldDialog } from './FieldDialog.tsx'
import { RowFormDialog } from './RowFormDialog.tsx'
import { useWarning } from './useWarning.ts'

interface ActionDialogProps {
  action: ActionView
  /** What it acts on, in words: a name, or "12 records". */
  subject: string
  /** The records it is about to be done to: asked about for a warning. */
  ids?: readonly string[]
  /** Parameters of the screen, for the call that answers with a row's own form. */
  params?: Record<string, string>
  /** Throws when the call is refused; the dialog then stays and says why. */
  run: (values: Record<string, unknown>) => Promise<void>
  onClose: () => void
}

const noFields: never[] = []
const noIds: readonly string[] = []

/** Asks before an action: its question, its form, or both. */
export function ActionDialog({ action: { label, confirm, danger, form, warning, asks }, ids = noIds, params, ...rest }: ActionDialogProps) {
  const warned = useWarning(warning, ids)
  if (asks) return <RowFormDialog asks={asks} params={{ ...params, id: ids[0] ?? '' }} title={t(label)} {...rest} />
  return (
    <FieldDialog
      warned={warned}
      title={t(confirm?.title ?? label)}
      okText={t(label)}
      fields={form ?? noFields}
      isDanger={danger}
      question={confirm?.body && t(confirm.body)}
      {...rest}
    />
  )
}
