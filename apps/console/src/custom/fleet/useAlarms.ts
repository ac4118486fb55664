import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useEffectEvent } from 'react'
import type { LiveEvent } from '@outpost/contract/geo/events'
import { eventWords } from './event-words.ts'
import { on, send } from '../../data/live.ts'
import { toast } from '../../feedback/toast.ts'
import { t } from '../../session/labels.ts'

const isAlarm = ({ severity, isLate, isSuperseded, acknowledgedAt }: LiveEvent) =>
  severity === 'critical' && !isLate && !isSuperseded && acknowledgedAt === null

/** Shows alarms as they come; a flood of them is one message that counts. Lists of events are asked again. */
export function useAlarms(): void {
  const client = useQueryClient()
  const navigate = useNavigate()
  const tell = useEffectEvent((events: readonly LiveEvent[]) => {
    void client.invalidateQueries({ queryKey: ['records', 'geoEvent'] })
    const alarms = events.filter(isAlarm)
    const [first] = alarms
    if (!first) return
    const open = () => void navigate({ to: '/tracking/notifications' })
    const title =
      alarms.length > 3
        ? t('{{count}} alarms', { count: alarms.length })
        : alarms.map((one) => `${one.device}: ${eventWords(one)}`).join(' · ')
    toast.danger({ key: alarms.length > 3 ? 'fleet-alarms' : first.id, title, seconds: 0, action: { label: t('Open'), run: open } })
  })
  useEffect(() => {
    const follow = () => void send('followEvents', {})
    follow()
    const stops = [on('events', ({ events }) => tell(events)), on('session', follow)]
    return () => {
      for (const stop of stops) stop()
      send('unfollowEvents', {})
    }
  }, [])
}
