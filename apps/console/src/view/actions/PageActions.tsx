import { Button } from 'antd'
import type { ActionView } from '@outpost/contract/views'
import { useConnection } from '../../data/connection.ts'
import { t } from '../../session/labels.ts'
import { ActionMenu } from './ActionMenu.tsx'

const buttonsAtMost = 2

/** The first actions as buttons, the others and the dangerous ones in the menu behind them. */
export function PageActions({
  actions,
  onRun,
  running = null,
}: {
  actions: readonly ActionView[]
  onRun: (action: ActionView) => void
  running?: string | null
}) {
  const { isOnline } = useConnection()
  const buttons = actions.filter((action) => !action.danger).slice(0, buttonsAtMost)
  return (
    <>
      {buttons.map((action) => (
        <Button key={action.key} loading={running === action.key} disabled={!isOnline && !action.offline} onClick={() => onRun(action)}>
          {t(action.label)}
        </Button>
      ))}
      <ActionMenu size="medium" actions={actions.filter((action) => !buttons.includes(action))} label={t('More actions')} onRun={onRun} />
    </>
  )
}
