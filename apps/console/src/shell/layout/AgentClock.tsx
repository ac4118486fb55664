import { ClockCircleOutlined } from '@ant-design/icons'
import { Link } from '@tanstack/react-router'
import type { ConsoleLayout } from '@outpost/contract/console'
import type { WatchPhase } from '@outpost/rules/places/location-watch'
import { hasDay, useDayState } from '../../device/useDay.ts'
import { useWatch } from '../../device/watch.ts'
import { t } from '../../session/labels.ts'
import { Hint } from './keyboard/Hint.tsx'

/** What the watcher's state means to the agent. */
const words: Record<WatchPhase, string> = {
  off: '',
  live: 'Your position is known.',
  searching: 'Looking for your position.',
  lost: 'No position can be found.',
  denied: 'The browser may not tell your position.',
}
const colours: Record<WatchPhase, string> = { off: 'good', live: 'good', searching: 'good', lost: 'warn', denied: 'bad' }

/** Whether the agent's day is running, and whether the device knows where it is; leads to My Work for those who have it. */
export function AgentClock({ layout }: { layout: ConsoleLayout }) {
  const { isRunning } = useDayState(layout)
  const { phase } = useWatch()
  if (!hasDay(layout)) return null
  const text = isRunning
    ? [t('You are online as an agent.'), words[phase] && t(words[phase]), t('Open My Work')].filter(Boolean).join(' ')
    : `${t('You are offline as an agent.')} ${t('Open My Work')}`
  return (
    <Hint text={text}>
      <Link to="/agents/landingpage" className="o-top-button" data-state={isRunning ? colours[phase] : 'idle'} aria-label={text}>
        <ClockCircleOutlined />
      </Link>
    </Hint>
  )
}
