import { Modal } from 'antd'
import { useQuery } from '@tanstack/react-query'
import type { FieldView } from '@outpost/contract/fields'
import type { CallView } from '@outpost/contract/views'
import { api } from '../../data/api.ts'
import { fillPath } from '../../data/paths.ts'
import { t } from '../../session/labels.ts'
import { changedValues } from '../kinds/form/values.ts'
import { EmptyState, ErrorState, LoadingState } from '../states/index.tsx'
import { FieldDialog } from './FieldDialog.tsx'

interface RowFormDialogProps {
  asks: CallView
  params: Record<string, string>
  title: string
  subject: string
  run: (values: Record<string, unknown>) => Promise<void>
  onClose: () => void
}
interface RowForm {
  fields: FieldView[]
  record: Record<string, unknown>
}

/** Asks with a form that the server has for this row alone; what is changed in it goes as `values`. */
export function RowFormDialog({ asks, params, title, subject, run, onClose }: RowFormDialogProps) {
  const path = fillPath(asks.path, params)
  const { data, error, refetch } = useQuery({
    queryKey: ['row-form', path],
    staleTime: 0,
    gcTime: 0,
    queryFn: async ({ signal }) => (await api.call<RowForm>(asks.method, path, { signal })).data,
  })
  if (data && data.fields.length > 0)
    return (
      <FieldDialog
        title={title}
        okText={title}
        fields={data.fields}
        base={data.record}
        subject={subject}
        run={(sent) => run({ values: changedValues(data.fields, sent, data.record) })}
        onClose={onClose}
      />
    )
  return (
    <Modal open title={title} footer={null} onCancel={onClose} destroyOnHidden>
      <p className="view-dialog-subject">{subject}</p>
      {error ? (
        <ErrorState error={error} onRetry={() => void refetch()} what={title} />
      ) : data ? (
        <EmptyState
          title={t('Nothing of it can be corrected')}
          body={t('It tells what happened, or you may not see records of its kind.')}
        />
      ) : (
        <LoadingState rows={4} />
      )}
    </Modal>
  )
}
