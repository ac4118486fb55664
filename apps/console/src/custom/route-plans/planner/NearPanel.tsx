import { useState } from 'react'
import { Button, Drawer, InputNumber, Tag } from 'antd'
import { PlusOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { timeAt } from '@outpost/rules/time-zone'
import { ApiError } from '../../../data/api.ts'
import { call } from '../../../data/calls.ts'
import { keys } from '../../../data/keys.ts'
import { toast } from '../../../feedback/toast.ts'
import { t } from '../../../session/labels.ts'
import { formatRelative } from '../../../view/formats.ts'
import { EmptyState, ErrorState, LoadingState } from '../../../view/states/index.tsx'
import { knownOf, settingsOf, type ActivityRow, type Known } from '../api.ts'
import type { Draft } from './draft.ts'
import type { Day } from './useDayTimes.ts'

interface Near {
  Id: string
  kind: 'lead' | 'client'
  name: string
  phonenumber: string
  status: string
  location: string | null
  latitude: number
  longitude: number
  since: string
  metres: number
}
interface Props {
  draft: Draft
  route: Day
  agent: string
  timeZone: string
  onClose: () => void
  onMade: (activity: Known) => void
}

/** Who is due near the way of a day: a visit is made and joins the day with one press. */
export function NearPanel({ draft, route, agent, timeZone, onClose, onMade }: Props) {
  const [metres, setMetres] = useState(1_500)
  const stops = route.stops.map(({ stop }) => stop)
  const near = useQuery({
    queryKey: [...keys.records('lead'), 'near-route', stops, metres],
    queryFn: async () => (await call('plans.nearby', { body: { ...settingsOf(draft.fields), stops, metres } })).data.nearby as Near[],
  })
  const [made, setMade] = useState<ReadonlySet<string>>(new Set())
  const visit = async (one: Near) => {
    try {
      onMade(await makeVisit(one, { route, startsAt: timeAt(route.day, draft.fields.dayStart, timeZone) }))
      setMade((before) => new Set([...before, one.Id]))
    } catch (error) {
      toast.danger({ title: error instanceof ApiError ? error.message : t('The visit could not be made.') })
    }
  }
  return (
    <Drawer
      open
      title={
        <h2 className="rp-title">
          {t('Due near the way of')} {agent}
        </h2>
      }
      size={480}
      onClose={onClose}
      closable={{ 'aria-label': t('Close') } as never}
    >
      <p className="rp-near-how">
        <label htmlFor="near-metres">{t('At most metres from the way')}</label>{' '}
        <InputNumber id="near-metres" min={100} max={20_000} step={500} value={metres} onChange={(value) => setMetres(value ?? 1_500)} />
      </p>
      {near.error ? (
        <ErrorState error={near.error} what={t('This list')} onRetry={() => void near.refetch()} />
      ) : near.isPending ? (
        <LoadingState rows={5} />
      ) : near.data.length === 0 ? (
        <EmptyState title={t('Nobody is due nearby')} body={t('Look farther from the way.')} />
      ) : (
        <ul className="rp-near">
          {near.data.map((one) => (
            <li key={one.Id}>
              <div>
                <p className="rp-pool-name">
                  {one.name} <Tag className="tag-quiet">{t(one.kind === 'lead' ? one.status : 'Client')}</Tag>
                </p>
                <p className="rp-soft">
                  {one.metres} m · {one.location ?? t('no place')} ·{' '}
                  {one.kind === 'lead' ? `${t('waits since')} ${formatRelative(one.since)}` : one.phonenumber}
                </p>
              </div>
              <Button
                icon={<PlusOutlined aria-hidden />}
                disabled={made.has(one.Id)}
                aria-label={`${t('Add a visit to')} ${one.name}`}
                onClick={() => void visit(one)}
              >
                {t(made.has(one.Id) ? 'Added' : 'Visit')}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </Drawer>
  )
}

/** Half an hour with the person, given to the agent of the day. */
async function makeVisit(one: Near, { route, startsAt }: { route: Day; startsAt: number }): Promise<Known> {
  const { data } = await call('activities.create', {
    body: {
      name: `Visit: ${one.name}`,
      location: one.location ?? undefined,
      lat: one.latitude,
      lng: one.longitude,
      startDate: new Date(startsAt).toISOString(),
      endDate: new Date(startsAt + 1_800_000).toISOString(),
      assignedUsers: [route.userId],
      ...(one.kind === 'lead' ? { leads: [one.Id] } : { clients: [one.Id] }),
    },
  })
  return knownOf(data.activity as unknown as ActivityRow)
}
