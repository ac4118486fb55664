import { ArrowDownOutlined, ArrowUpOutlined } from '@ant-design/icons'
import { Button, Checkbox, Drawer } from 'antd'
import { useState } from 'react'
import type { WidgetView } from '@outpost/contract/views'
import { t } from '../../session/labels.ts'
import { moved } from './widgets.ts'
import './home.css'

interface PanelProps {
  isOpen: boolean
  permitted: readonly WidgetView[]
  shown: readonly WidgetView[]
  onChange: (ids: string[] | null) => void
  onClose: () => void
}

/** Adds, removes and moves widgets; every step is a button, and what happened is told to screen readers. */
export function WidgetPanel({ isOpen, permitted, shown, onChange, onClose }: PanelProps) {
  const [told, setTold] = useState('')
  const ids = shown.map((widget) => widget.id)
  const hidden = permitted.filter((widget) => !ids.includes(widget.id))
  const move = (widget: WidgetView, by: -1 | 1) => {
    const next = moved(ids, widget.id, by)
    onChange(next)
    setTold(`${widget.title}: ${t('place')} ${next.indexOf(widget.id) + 1} ${t('of')} ${next.length}`)
  }
  return (
    <Drawer open={isOpen} onClose={onClose} title={t('Dashboard widgets')} size={380} extra={<Button size="small" onClick={() => onChange(null)}>{t('Reset')}</Button>}>
      <p className="o-hidden" role="status">{told}</p>
      <h3 className="hw-title">{t('On your dashboard')}</h3>
      <ol className="hw-list">
        {shown.map((widget, index) => (
          <li key={widget.id}>
            <Checkbox checked onChange={() => onChange(ids.filter((id) => id !== widget.id))}>{t(widget.title)}</Checkbox>
            <span>
              <Button type="text" icon={<ArrowUpOutlined />} aria-label={`${t('Move up')}: ${t(widget.title)}`} disabled={index === 0} onClick={() => move(widget, -1)} />
              <Button type="text" icon={<ArrowDownOutlined />} aria-label={`${t('Move down')}: ${t(widget.title)}`} disabled={index === shown.length - 1} onClick={() => move(widget, 1)} />
            </span>
          </li>
        ))}
      </ol>
      {hidden.length > 0 && <h3 className="hw-title">{t('More widgets')}</h3>}
      <ul className="hw-list">
        {hidden.map((widget) => <li key={widget.id}><Checkbox checked={false} onChange={() => onChange([...ids, widget.id])}>{t(widget.title)}</Checkbox></li>)}
      </ul>
    </Drawer>
  )
}
