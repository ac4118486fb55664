import { Button, Drawer, Popconfirm, Tabs } from 'antd'
import { DeleteOutlined, EditOutlined } from '@ant-design/icons'
import { call, callOf } from '../../data/calls.ts'
import { keys } from '../../data/keys.ts'
import { queryClient } from '../../data/query-client.ts'
import { toast } from '../../feedback/toast.ts'
import { t } from '../../session/labels.ts'
import { textOf, useAddress } from '../../view/address.ts'
import { formatDate } from '../../view/formats.ts'
import { Timeline } from '../../view/kinds/detail/Timeline.tsx'
import { LinkButton } from '../../view/LinkButton.tsx'
import { ErrorState, LoadingState } from '../../view/states/index.tsx'
import { formatAmount, paceOf, paceLabels, type BoardData, type Target } from './board.ts'
import { Parts } from './Parts.tsx'
import { ProgressChart } from './ProgressChart.tsx'
import { Records } from './Records.tsx'
import { Bar } from './TargetRow.tsx'
import { useTarget } from './useBoard.ts'

/** One target from near: how it goes, day by day, what lies behind the number, and its parts. */
export function TargetDrawer({ id, data, onClose }: { id: string; data: BoardData; onClose: () => void }) {
  const target = useTarget(id)
  const found = target.data
  const metric = data.metrics.find(({ key }) => key === found?.metric)
  return (
    <Drawer
      open
      onClose={onClose}
      size={640}
      className="tg-drawer"
      title={found ? `${t(metric?.label ?? found.metric)} · ${found.ownerName ?? ''}` : t('Target')}
      closable={{ 'aria-label': t('Close') }}
      extra={found && <Tools target={found} data={data} onGone={onClose} />}
    >
      {target.isPending ? (
        <LoadingState rows={5} />
      ) : target.error ? (
        <ErrorState error={target.error} what={t('This target')} onRetry={() => void target.refetch()} />
      ) : (
        found && <Content target={found} data={data} />
      )}
    </Drawer>
  )
}

function Tools({ target, data, onGone }: { target: Target; data: BoardData; onGone: () => void }) {
  const remove = async () => {
    // Closed first: what the drawer shows would be asked for once more when the news of the deletion comes.
    onGone()
    try {
      await call('targets.remove', { body: { id: target.Id } })
      await queryClient.invalidateQueries({ queryKey: keys.records('target') })
      toast.success({
        title: t('Target deleted'),
        action: {
          label: t('Undo'),
          run: () =>
            void call('targets.restore', { body: { ids: [target.Id] } }).then(() =>
              queryClient.invalidateQueries({ queryKey: keys.records('target') }),
            ),
        },
      })
    } catch (error) {
      toast.danger({ title: t('The target was not deleted'), body: error instanceof Error ? error.message : String(error) })
    }
  }
  return (
    <>
      {data.mayEdit && (
        <LinkButton to={`/sales/targets/${target.Id}/edit`} icon={<EditOutlined aria-hidden />}>
          {t('Edit')}
        </LinkButton>
      )}
      {data.mayDelete && (
        <Popconfirm
          title={t('Delete this target?')}
          description={t('What was done is kept; only the target goes.')}
          okText={t('Delete')}
          cancelText={t('Cancel')}
          okButtonProps={{ danger: true }}
          onConfirm={remove}
        >
          <Button type="text" icon={<DeleteOutlined aria-hidden />} aria-label={t('Delete')} />
        </Popconfirm>
      )}
    </>
  )
}

function Content({ target, data }: { target: Target; data: BoardData }) {
  const { address, patch } = useAddress()
  const { figures, value } = target
  const amount = (number: number | null) => (number === null ? '–' : formatAmount(number, figures.unit, data.currency))
  const metric = data.metrics.find(({ key }) => key === target.metric)
  const pace = paceOf(target, metric?.isBurden)
  const mayShare = data.mayCreate && target.ownerType !== 'user'
  const tabs = [
    { key: 'records', label: t('Behind the number'), children: <Records target={target} data={data} /> },
    ...(mayShare ? [{ key: 'parts', label: t('Distribute'), children: <Parts target={target} data={data} /> }] : []),
    {
      key: 'history',
      label: t('History'),
      children: <Timeline call={callOf('targets.timeline')} resource="target" id={target.Id} params={{}} />,
    },
  ]
  const tab = textOf(address.tab)
  return (
    <div className="tg-content" data-pace={pace}>
      <p className="tg-days">
        {formatDate(target.startDate)} – {formatDate(target.endDate)} · {figures.workingDaysPassed} / {figures.workingDays}{' '}
        {t('working days')}
        {target.product ? ` · ${t('only')} ${target.product}` : ''}
      </p>
      <Bar target={target} label={t(metric?.label ?? target.metric)} />
      <dl className="tg-facts">
        <div>
          <dt>{t('Reached')}</dt>
          <dd>
            {amount(figures.actual)}{' '}
            <small>
              {t('of')} {amount(value)}
            </small>
          </dd>
        </div>
        <div>
          <dt>{t('Attainment')}</dt>
          <dd>{figures.attainment} %</dd>
        </div>
        <div>
          <dt>{t('Expected')}</dt>
          <dd>{amount(figures.expected)}</dd>
        </div>
        <div>
          <dt>{t('Ahead or behind')}</dt>
          <dd className="tg-variance">
            {figures.variance > 0 ? '+' : ''}
            {amount(figures.variance)} <small>{t(paceLabels[pace])}</small>
          </dd>
        </div>
        <div>
          <dt>{t('At this pace')}</dt>
          <dd>{amount(figures.projected)}</dd>
        </div>
      </dl>
      <ProgressChart id={target.Id} value={value} />
      {target.note && <p className="tg-note">{target.note}</p>}
      <Tabs
        activeKey={tabs.some(({ key }) => key === tab) ? tab : 'records'}
        onChange={(next) => patch({ tab: next === 'records' ? undefined : next })}
        items={tabs}
      />
    </div>
  )
}
