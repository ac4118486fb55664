import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useRef } from 'react'
import type { LiveEvent } from '@outpost/contract/geo/events'
import { eventWords } from './event-words.ts'
import { on, send } from '../../data/live.ts'
import { toast } from '../../feedback/toast.ts'
import { t } from '../../session/labels.ts'

const isAlarm = ({ severity, isLate, isSuperseded, acknowledgedAt }: LiveEvent) =>
  severity === 'critical' && !isLate && !isSuperseded && acknowledgedAt === null

/** Alarms of one minute are one message: so many are named, more are counted. */
const [groupMs, mostNamed] = [60_000, 3]

/** Shows alarms as they come; a flood of them, at once or one by one, is one message that counts. Lists of events are asked again. */
export function useAlarms(): void {
  const client = useQueryClient()
  const navigate = useNavigate()
  const recent = useRef<{ words: string; at: number }[]>([])
  const tell = useEffectEvent((events: readonly LiveEvent[]) => {
    void client.invalidateQueries({ queryKey: ['records', 'geoEvent'] })
    const alarms = events.filter(isAlarm)
    if (alarms.length === 0) return
    const now = Date.now()
    const fresh = alarms.map((one) => ({ words: `${one.device}: ${eventWords(one)}`, at: now }))
    recent.current = [...recent.current.filter(({ at }) => now - at < groupMs), ...fresh]
    const open = () => void navigate({ to: '/tracking/notifications' })
    const title =
      recent.current.length > mostNamed
        ? t('{{count}} alarms', { count: recent.current.length })
        : recent.current.map(({ words }) => words).join(' · ')
    toast.danger({ key: 'fleet-alarms', title, seconds: 0, action: { label: t('Open'), run: open } })
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
