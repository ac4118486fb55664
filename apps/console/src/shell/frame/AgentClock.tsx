import { ClockCircleOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Tooltip } from 'antd'
import type { ConsoleFrame } from '@outpost/contract/console'
import { api } from '../../data/api.ts'
import { useConnection } from '../../data/connection.ts'

interface LatestAction { agentAction?: { action?: number | string }[] }

/** Whether the agent's day is running; leads to My Work for those who have it. */
export function AgentClock({ frame }: { frame: ConsoleFrame }) {
  const isAgent = frame.screens.some((screen) => screen.path === '/agents/landingpage' && screen.permitted)
  const { isOnline } = useConnection()
  const { data } = useQuery({
    // Starting or ending a day touches the records of agentAction, which asks this again.
    queryKey: ['records', 'agentAction', 'latest', frame.user.Id], enabled: isAgent && isOnline, staleTime: 60_000,
    queryFn: () => api.get<LatestAction>('/api/agent/action/latest'),
  })
  if (!isAgent) return null
  const isWorking = Number(data?.data.agentAction?.[0]?.action) === 1
  const text = isWorking ? 'You are online as an agent. Open My Work' : 'You are offline as an agent. Open My Work'
  return (
    <Tooltip title={text}>
      <Link to="/agents/landingpage" className="o-top-button" data-state={isWorking ? 'good' : 'idle'} aria-label={text}><ClockCircleOutlined /></Link>
    </Tooltip>
  )
}
