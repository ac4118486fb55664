import { AppstoreAddOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useRouterState } from '@tanstack/react-router'
import { Button } from 'antd'
import { get, set } from 'idb-keyval'
import { useMemo } from 'react'
import type { ConsoleFrame } from '@outpost/contract/console'
import type { DashboardView } from '@outpost/contract/views'
import { queryClient } from '../../data/query-client.ts'
import { t } from '../../session/labels.ts'
import { useSession } from '../../session/session.ts'
import { LoadingState, StatePanel } from '../../view/states/index.tsx'
import { ViewHost } from '../../view/ViewHost.tsx'
import { WidgetPanel } from './WidgetPanel.tsx'
import { arrange, permittedWidgets } from './widgets.ts'

/** The agent dashboard: figures the user chose, each leading to its rows. */
export function Home() {
  const { frame } = useSession()
  return frame && <Dashboard frame={frame} />
}

function Dashboard({ frame }: { frame: ConsoleFrame }) {
  const navigate = useNavigate()
  const { pathname, isPanelOpen } = useRouterState({
    select: ({ location }) => ({ pathname: location.pathname, isPanelOpen: (location.search as { widgets?: string }).widgets === 'open' }),
    structuralSharing: true,
  })
  const { chosen, choose, isReady } = useChosen(frame.user.Id)
  const permitted = useMemo(() => permittedWidgets(frame), [frame])
  const shown = useMemo(() => arrange(permitted, chosen), [permitted, chosen])
  const view: DashboardView = useMemo(() => ({ kind: 'dashboard', title: 'Dashboard', widgets: shown }), [shown])
  const setPanel = (isOpen: boolean) => void navigate({ to: pathname, search: isOpen ? { widgets: 'open' } : {}, replace: true })
  if (!isReady) return <LoadingState />
  return (
    <>
      {shown.length > 0 ? <ViewHost view={view} params={{}} /> : (
        <>
          <h1 tabIndex={-1}>{t('Dashboard')}</h1>
          <StatePanel
            title={permitted.length > 0 ? 'Your dashboard is empty' : 'There are no figures for your role'}
            action={permitted.length > 0 && <Button type="primary" icon={<AppstoreAddOutlined />} onClick={() => setPanel(true)}>{t('Add widgets')}</Button>}
          />
        </>
      )}
      <WidgetPanel isOpen={isPanelOpen} permitted={permitted} shown={shown} onChange={choose} onClose={() => setPanel(false)} />
    </>
  )
}

/** The user's own choice of widgets, kept on this device; null is the first choice of the house. */
function useChosen(userId: string) {
  const name = `outpost:widgets:${userId}`
  const queryKey = ['widgets', userId]
  const { data, isPending } = useQuery({ queryKey, queryFn: async () => await get<string[]>(name) ?? null, staleTime: Infinity })
  return {
    chosen: data ?? null,
    isReady: !isPending,
    choose: (ids: string[] | null) => {
      queryClient.setQueryData(queryKey, ids)
      void set(name, ids)
    },
  }
}
