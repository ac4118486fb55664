import { Button, Drawer } from 'antd'
import { EditOutlined, SwapOutlined } from '@ant-design/icons'
import type { Row } from '../../data/records.ts'
import { t } from '../../session/labels.ts'
import { useSession } from '../../session/session.ts'
import { Label, tagClass } from '../../view/fields/parts/tag.tsx'
import { formatDateTime } from '../../view/formats.ts'
import { LinkButton } from '../../view/LinkButton.tsx'
import { agentsOf, isRepeated, statusOf } from './events.ts'
import type { Status } from './events.ts'

interface EventDrawerProps {
  row: Row
  statuses: readonly Status[]
  mayEdit: boolean
  onMove: () => void
  onClose: () => void
}

/** An activity beside the calendar: what, when, who, and where to go from here. */
export function EventDrawer({ row, statuses, mayEdit, onMove, onClose }: EventDrawerProps) {
  const { layout } = useSession()
  const isOpen = (path: string) => layout?.screens.some((screen) => screen.path === path && screen.permitted) ?? false
  const status = statusOf(row, statuses)
  const leads = Array.isArray(row.leads) ? (row.leads as { Id: string; firstName?: string; lastName?: string }[]) : []
  const facts = {
    Type: words(row.typeDesc),
    Start: formatDateTime(row.startDate),
    End: formatDateTime(row.endDate),
    Repeats: isRepeated(row) ? t('One of a series') : '',
    Agents: agentsOf(row)
      .map(({ label }) => label)
      .join(', '),
    Leads: leads.map(({ firstName, lastName }) => [firstName, lastName].filter(Boolean).join(' ')).join(', '),
    Place: words(row.location),
    Description: words(row.description),
  }
  return (
    <Drawer
      open
      title={<h2 className="cal-drawer-title">{String(row.name ?? '')}</h2>}
      size={420}
      mask={false}
      onClose={onClose}
      closable={{ 'aria-label': t('Close') } as never}
      footer={
        <div className="cal-drawer-actions">
          {mayEdit ? (
            <Button icon={<SwapOutlined aria-hidden />} onClick={onMove}>
              {t('Move to another time')}
            </Button>
          ) : null}
          {isOpen('/sales/activities/:id/view') ? <LinkButton to={`/sales/activities/${row.Id}/view`}>{t('Open')}</LinkButton> : null}
          {mayEdit && isOpen('/sales/activities/:id/edit') ? (
            <LinkButton to={`/sales/activities/${row.Id}/edit`} type="primary" icon={<EditOutlined aria-hidden />}>
              {t('Edit')}
            </LinkButton>
          ) : null}
        </div>
      }
    >
      <dl className="cal-facts">
        {row.status ? (
          <div>
            <dt>{t('Status')}</dt>
            <dd>
              <Label className={tagClass(status?.colour ?? undefined)}>{status?.name ?? String(row.status)}</Label>
            </dd>
          </div>
        ) : null}
        {Object.entries(facts)
          .filter(([, value]) => value !== '')
          .map(([label, value]) => (
            <div key={label}>
              <dt>{t(label)}</dt>
              <dd>{value}</dd>
            </div>
          ))}
      </dl>
    </Drawer>
  )
}

const words = (value: unknown): string => (value === null || value === undefined ? '' : String(value))
