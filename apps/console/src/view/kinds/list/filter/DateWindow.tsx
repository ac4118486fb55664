import { lazy, Suspense, useState } from 'react'
import { Button, Popover } from 'antd'
import { CalendarOutlined } from '@ant-design/icons'
import type { ListView } from '@outpost/contract/views'
import { t } from '../../../../session/labels.ts'
import type { ListFilter } from '../list-state.ts'
import { describeWindow } from './windows.ts'

const WindowForm = lazy(async () => ({ default: (await import('./WindowForm.tsx')).WindowForm }))

interface DateWindowProps {
  view: Pick<ListView, 'dateTypes'>
  filter: Pick<ListFilter, 'dateType' | 'from' | 'to'>
  onChange: (next: Pick<ListFilter, 'dateType' | 'from' | 'to'>) => void
}

/** The period of a list or dashboard, and which of its dates is meant. */
export function DateWindow({ view, filter, onChange }: DateWindowProps) {
  const [isOpen, setOpen] = useState(false)
  const type = view.dateTypes?.find((one) => one.value === filter.dateType)
  const words = `${type?.label ? `${t(type.label)}: ` : ''}${t(describeWindow(filter.from, filter.to, type?.period))}`
  return (
    <Popover
      trigger="click"
      placement="bottomLeft"
      open={isOpen}
      onOpenChange={setOpen}
      destroyOnHidden
      content={
        <Suspense fallback={<div className="popover-waiting" />}>
          <WindowForm view={view} filter={filter} onChange={onChange} onClose={() => setOpen(false)} />
        </Suspense>
      }
    >
      <Button
        className="list-period"
        icon={<CalendarOutlined aria-hidden />}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        aria-label={`${t('Period')}: ${words}`}
      >
        {words}
      </Button>
    </Popover>
  )
}
