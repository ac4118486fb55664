import { ApartmentOutlined, DownOutlined } from '@ant-design/icons'
import type { ConsoleLayout } from '@outpost/contract/console'
import { lazy } from 'react'
import { Disclosure } from '../menu/Disclosure.tsx'
import { t } from '../../../session/labels.ts'

const TenantPanel = lazy(() => import('./TenantPanel.tsx').then((file) => ({ default: file.TenantPanel })))

/** The tenant worked in: fixed text for loan officers and team leaders, a filterable tree for everyone else. */
export function TenantPicker({ layout }: { layout: ConsoleLayout }) {
  const { selectedTenant } = layout.user
  if (!layout.maySwitchTenant) {
    return (
      <span className="o-tenant o-tenant-fixed">
        <ApartmentOutlined aria-hidden="true" />
        <span className="o-tenant-name">{selectedTenant.name}</span>
      </span>
    )
  }
  return (
    <Disclosure
      label={t('Tenant: {{name}}', { name: selectedTenant.name })}
      className="o-tenant"
      panelClass="o-tenant-panel"
      button={
        <>
          <ApartmentOutlined aria-hidden="true" />
          <span className="o-tenant-name">{selectedTenant.name}</span>
          <DownOutlined className="o-tenant-arrow" aria-hidden="true" />
        </>
      }
    >
      {(close) => <TenantPanel layout={layout} close={close} />}
    </Disclosure>
  )
}
