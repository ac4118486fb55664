import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Input } from 'antd'
import type { ConsoleLayout, ConsoleTenant } from '@outpost/contract/console'
import { useMemo, useState } from 'react'
import { call } from '../../../data/calls.ts'
import { useConnection } from '../../../data/connection.ts'
import { selectTenant } from '../../../session/actions.ts'
import { arrangeTenants, filterTenants, tenantKind } from './tenant-tree.ts'
import type { TenantNode } from './tenant-tree.ts'
import { t } from '../../../session/labels.ts'

/** Search, tree and Reset (to the first tenant) of the tenant dropdown; choosing closes it. */
export function TenantPanel({ layout, close }: { layout: ConsoleLayout; close: () => void }) {
  const { selectedTenant } = layout.user
  const { isOnline } = useConnection()
  const { tenants, isPending } = useReachableTenants(layout, isOnline)
  const [search, setSearch] = useState('')
  const [error, setError] = useState<string | null>(null)
  const [busy, setBusy] = useState<string | null>(null)
  const tree = useMemo(() => filterTenants(arrangeTenants(tenants), search), [tenants, search])
  // Reset goes to the tenant the user is assigned to first.
  const first = layout.user.tenants[0]
  const choose = async (id: string): Promise<void> => {
    if (id === selectedTenant.Id) return close()
    setBusy(id)
    setError(null)
    try {
      await selectTenant(id)
      close()
    } catch (cause) {
      setError(cause instanceof Error ? cause.message : String(cause))
      setBusy(null)
    }
  }
  return (
    <>
      <div className="o-panel-head">
        <Input
          placeholder={t('Search tenants')}
          aria-label={t('Search tenants')}
          value={search}
          allowClear
          autoFocus
          onChange={(event) => setSearch(event.target.value)}
        />
        {first && first.Id !== selectedTenant.Id && (
          <Button disabled={!isOnline || busy !== null} onClick={() => void choose(first.Id)}>
            {t('Reset')}
          </Button>
        )}
      </div>
      {error && <Alert type="error" role="alert" showIcon title={error} />}
      {!isOnline && <p className="o-panel-empty">{t('Changing the tenant needs a connection.')}</p>}
      <div className="o-tenant-tree">
        {tree.length === 0 ? (
          <p className="o-panel-empty">{isPending ? t('Loading') : t('No tenant matches.')}</p>
        ) : (
          <Branch
            nodes={tree}
            selected={selectedTenant.Id}
            busy={busy}
            isOff={!isOnline || busy !== null}
            onChoose={(id) => void choose(id)}
          />
        )}
      </div>
    </>
  )
}

/** The user's tenants and all below them; those assigned directly while there is no connection. */
function useReachableTenants({ user }: ConsoleLayout, isOnline: boolean): { tenants: ConsoleTenant[]; isPending: boolean } {
  const { data, isPending } = useQuery({
    queryKey: ['records', 'tenant', 'reachable', user.Id],
    enabled: isOnline,
    staleTime: 60_000,
    queryFn: async () => (await call('tenants.belowUser')).data.tenants,
  })
  return { tenants: data ?? user.tenants, isPending: isPending && isOnline }
}

interface BranchProps {
  nodes: TenantNode[]
  selected: string
  busy: string | null
  isOff: boolean
  onChoose: (id: string) => void
}

function Branch(props: BranchProps) {
  const { nodes, selected, busy, isOff, onChoose } = props
  return (
    <ul>
      {nodes.map(({ tenant, children }) => (
        <li key={tenant.Id}>
          <button
            type="button"
            className="o-tenant-row"
            disabled={isOff}
            aria-busy={busy === tenant.Id}
            aria-current={tenant.Id === selected ? 'true' : undefined}
            onClick={() => onChoose(tenant.Id)}
          >
            <span>{tenant.name}</span>
            <small>{tenantKind(tenant.type)}</small>
          </button>
          {children.length > 0 && <Branch {...props} nodes={children} />}
        </li>
      ))}
    </ul>
  )
}
