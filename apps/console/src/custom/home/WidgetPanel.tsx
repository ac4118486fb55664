import { CloseOutlined, EllipsisOutlined } from '@ant-design/icons'
import { Button, Checkbox, Drawer, Dropdown } from 'antd'
import type { WidgetView } from '@outpost/contract/views'
import { t } from '../../session/labels.ts'
import type { Place, Step } from './layout.ts'
import './home.css'

interface PanelProps {
  isOpen: boolean
  isWide: boolean
  permitted: readonly WidgetView[]
  places: readonly Place[]
  /** What happened last, for screen readers. */
  told: string
  onAdd: (widget: WidgetView) => void
  onRemove: (id: string) => void
  onStep: (id: string, step: Step) => void
  onReset: () => void
  onClose: () => void
}

const steps: [Step, string][] = [
  ['up', 'Move up'],
  ['down', 'Move down'],
  ['left', 'Move left'],
  ['right', 'Move right'],
  ['wider', 'Wider'],
  ['narrower', 'Narrower'],
  ['taller', 'Taller'],
  ['shorter', 'Shorter'],
]

/** Adds, removes, moves and sizes widgets; each step is a button, so that nobody has to drag. */
export function WidgetPanel({ isOpen, isWide, permitted, places, told, onAdd, onRemove, onStep, onReset, onClose }: PanelProps) {
  const shown = places.flatMap(({ id }) => permitted.find((widget) => widget.id === id) ?? [])
  const hidden = permitted.filter(({ id }) => places.every((place) => place.id !== id))
  const menu = (widget: WidgetView) => ({
    items: steps
      .slice(0, isWide ? undefined : 2)
      .map(([step, label]) => ({ key: step, label: t(label), onClick: () => onStep(widget.id, step) })),
  })
  return (
    <Drawer
      open={isOpen}
      onClose={onClose}
      title={t('Dashboard widgets')}
      size={340}
      mask={false}
      rootClassName="hw-panel"
      closable={{ 'aria-label': t('Close') } as never}
      extra={
        <Button size="small" onClick={onReset}>
          {t('Reset')}
        </Button>
      }
    >
      <p className="hw-help">
        {t(
          isWide
            ? 'Drag a tile, or pull its corner. With the keyboard: focus a tile, arrows move it, Shift and arrows size it.'
            : 'On a wide window tiles can be dragged and sized.',
        )}
      </p>
      <p className="o-hidden" role="status">
        {told}
      </p>
      <h2 className="hw-title">{t('On your dashboard')}</h2>
      <ol className="hw-list">
        {shown.map((widget) => (
          <li key={widget.id}>
            <span>{t(widget.title)}</span>
            <span>
              <Dropdown trigger={['click']} menu={menu(widget)}>
                <Button
                  type="text"
                  icon={<EllipsisOutlined />}
                  aria-label={`${t('Move and size')}: ${t(widget.title)}`}
                  aria-haspopup="menu"
                />
              </Dropdown>
              <Button
                type="text"
                icon={<CloseOutlined />}
                aria-label={`${t('Remove')}: ${t(widget.title)}`}
                onClick={() => onRemove(widget.id)}
              />
            </span>
          </li>
        ))}
      </ol>
      {hidden.length > 0 && <h2 className="hw-title">{t('More widgets')}</h2>}
      <ul className="hw-list">
        {hidden.map((widget) => (
          <li key={widget.id}>
            <Checkbox checked={false} onChange={() => onAdd(widget)}>
              {t(widget.title)}
            </Checkbox>
          </li>
        ))}
      </ul>
    </Drawer>
  )
}
