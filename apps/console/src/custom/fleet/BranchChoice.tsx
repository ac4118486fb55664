import { useQuery } from '@tanstack/react-query'
import { Form, Select } from 'antd'
import { call } from '../../data/calls.ts'
import { t } from '../../session/labels.ts'

interface BranchChoiceProps {
  id: string
  /** Null: the tenant that is chosen in the console. */
  value: string | null
  onChange: (id: string | null) => void
}

/** The branch a record is filed under. */
export function BranchChoice({ id, value, onChange }: BranchChoiceProps) {
  const { data: tenants = [] } = useQuery({
    queryKey: ['records', 'tenant', 'options'],
    queryFn: async ({ signal }) =>
      (await call('tenants.list', { query: { size: 1_000, sortField: 'name', sortOrder: 'ASC' } }, { signal })).data.tenants,
  })
  return (
    <Form.Item label={t('Branch')} htmlFor={id} extra={value === null ? t('Left empty: where you work now') : undefined}>
      <Select
        id={id}
        allowClear={value !== null}
        showSearch={{ optionFilterProp: 'label' }}
        value={value}
        onChange={(next: string | undefined) => onChange(next ?? null)}
        options={tenants.map(({ Id, name }) => ({ value: Id, label: name }))}
      />
    </Form.Item>
  )
}
