import { Segmented } from 'antd'
import { AppstoreOutlined, EnvironmentOutlined, TableOutlined } from '@ant-design/icons'
import type { ReactNode } from 'react'
import type { LayoutView, ListView } from '@outpost/contract/views'
import { t } from '../../../../session/labels.ts'
import { useAddress } from '../../../address.ts'
import { chosenLayout, layoutLabels } from './layout-state.ts'

const icons: Record<keyof typeof layoutLabels, ReactNode> = {
  table: <TableOutlined aria-hidden />,
  kanban: <AppstoreOutlined aria-hidden />,
  map: <EnvironmentOutlined aria-hidden />,
}

/** Table, board or map: the same rows, looked at in another way. */
export function LayoutSwitch({ view, layouts }: { view: ListView; layouts: readonly LayoutView[] }) {
  const { address, patch } = useAddress()
  const current = chosenLayout(view, address)?.kind ?? 'table'
  return (
    <Segmented
      className="list-layouts"
      aria-label={t('Layout')}
      value={current}
      options={(['table', ...layouts.map(({ kind }) => kind)] as const).map((kind) => ({
        value: kind,
        icon: icons[kind],
        label: t(layoutLabels[kind]),
        title: '',
      }))}
      onChange={(kind) =>
        patch({ layout: kind === 'table' ? undefined : kind, page: undefined, map: undefined, near: undefined }, { isStep: true })
      }
    />
  )
}
