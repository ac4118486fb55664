import type { ActionView } from '@outpost/contract/views'
import { t } from '../../session/labels.ts'
import { FieldDialog } from './FieldDialog.tsx'

interface ActionDialogProps {
  action: ActionView
  /** What it acts on, in words: a name, or "12 records". */
  subject: string
  /** Throws when the call is refused; the dialog then stays and says why. */
  run: (values: Record<string, unknown>) => Promise<void>
  onClose: () => void
}

const noFields: never[] = []

/** Asks before an action: its question, its form, or both. */
export const ActionDialog = ({ action: { label, confirm, danger, form }, ...rest }: ActionDialogProps) => (
  <FieldDialog
    title={t(confirm?.title ?? label)}
    okText={t(label)}
    fields={form ?? noFields}
    isDanger={danger}
    question={confirm?.body && t(confirm.body)}
    {...rest}
  />
)
