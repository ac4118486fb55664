import { Button, Dropdown } from 'antd'
import { EllipsisOutlined } from '@ant-design/icons'
import type { ActionView } from '@outpost/contract/views'
import { useConnection } from '../../data/connection.ts'
import { t } from '../../session/labels.ts'

interface ActionMenuProps {
  actions: readonly ActionView[]
  label: string
  onRun: (action: ActionView) => void
  extra?: { key: string; label: string; run: () => void }[]
  size?: 'small' | 'medium'
}

/** The "…" menu of a record. Dangerous actions are last; what needs a connection is off without one. */
export function ActionMenu({ actions, label, onRun, extra = [], size = 'small' }: ActionMenuProps) {
  const { isOnline } = useConnection()
  if (actions.length + extra.length === 0) return null
  const sorted = [...actions].sort((a, b) => Number(a.danger ?? false) - Number(b.danger ?? false))
  const items = [
    ...extra.map(({ key, label: words, run }) => ({ key, label: t(words), onClick: run })),
    ...sorted.map((action) => ({
      key: action.key,
      label: t(action.label),
      danger: action.danger,
      disabled: !isOnline && !action.offline,
      onClick: () => onRun(action),
    })),
  ]
  return (
    <span onClick={(event) => event.stopPropagation()} onKeyDown={(event) => event.stopPropagation()} role="presentation">
      <Dropdown trigger={['click']} menu={{ items, onClick: ({ domEvent }) => domEvent.stopPropagation() }}>
        <Button type="text" size={size} icon={<EllipsisOutlined aria-hidden />} aria-label={label} aria-haspopup="menu" />
      </Dropdown>
    </span>
  )
}
