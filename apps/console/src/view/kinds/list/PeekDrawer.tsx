import { useEffect } from 'react'
import { useQuery } from '@tanstack/react-query'
import { Button, Drawer } from 'antd'
import { DownOutlined, UpOutlined } from '@ant-design/icons'
import type { ActionView, ListView } from '@outpost/contract/views'
import { keys } from '../../../data/keys.ts'
import { fetchScreen, useLayout, useRecord } from '../../../data/queries.ts'
import type { Row } from '../../../data/records.ts'
import { t } from '../../../session/labels.ts'
import { ActionMenu } from '../../actions/ActionMenu.tsx'
import { offered } from '../../actions/offered.ts'
import { LinkButton } from '../../LinkButton.tsx'
import { pathOf } from '../../RecordLink.tsx'
import { ErrorState, LoadingState } from '../../states/index.tsx'
import { FieldGrid } from '../detail/FieldGrid.tsx'
import { screenOf, titleOf } from './table/table-columns.tsx'

interface PeekDrawerProps {
  view: ListView
  id: string
  rows: readonly Row[]
  idOf: (row: Row) => string
  currency: string
  actions: readonly ActionView[]
  onRun: (action: ActionView, row: Row) => void
  onPeek: (id: string | undefined) => void
}

/** A record beside its list; j and k walk on to the next and the one before. */
export function PeekDrawer({ view, id, rows, idOf, currency, actions, onRun, onPeek }: PeekDrawerProps) {
  const index = rows.findIndex((row) => idOf(row) === id)
  const { record, fields, sections, error, retry } = usePeeked(view, id, rows[index])
  const before = index > 0 ? rows[index - 1] : undefined
  const after = index >= 0 ? rows[index + 1] : undefined
  const go = (row: Row | undefined) => {
    if (row) onPeek(idOf(row))
  }
  useKeys({ j: () => go(after), k: () => go(before) })
  const screen = (path: string | undefined) => (path && record ? pathOf(path, { ...record, id }) : undefined)
  const [show, edit] = [screen(view.routes.view), screen(view.routes.edit)]
  return (
    <Drawer
      open
      title={<h2 className="peek-title">{record ? titleOf(view, record) : t('Loading')}</h2>}
      size={480}
      onClose={() => onPeek(undefined)}
      mask={false}
      rootClassName="peek"
      closable={{ 'aria-label': t('Close') } as never}
      extra={
        <>
          <Button
            type="text"
            icon={<UpOutlined aria-hidden />}
            disabled={!before}
            onClick={() => go(before)}
            aria-label={t('Previous record')}
            aria-keyshortcuts="k"
            title={`${t('Previous record')} (k)`}
          />
          <Button
            type="text"
            icon={<DownOutlined aria-hidden />}
            disabled={!after}
            onClick={() => go(after)}
            aria-label={t('Next record')}
            aria-keyshortcuts="j"
            title={`${t('Next record')} (j)`}
          />
          {record ? (
            <ActionMenu size="medium" actions={offered(actions, record)} label={t('Actions')} onRun={(action) => onRun(action, record)} />
          ) : null}
        </>
      }
      footer={
        show || edit ? (
          <div className="peek-footer">
            {show ? <LinkButton to={show}>{t('Open')}</LinkButton> : null}
            {edit ? (
              <LinkButton to={edit} type="primary">
                {t('Edit')}
              </LinkButton>
            ) : null}
          </div>
        ) : null
      }
    >
      {error ? (
        <ErrorState error={error} onRetry={retry} what={t('This record')} />
      ) : record ? (
        <FieldGrid fields={fields} sections={sections} record={record} currency={currency} isNarrow />
      ) : (
        <LoadingState rows={8} />
      )}
    </Drawer>
  )
}

/** The row of the list; one that is not among the loaded rows (a shared link) comes through its screen's own call. */
function usePeeked(view: ListView, id: string, row: Row | undefined) {
  const layout = useLayout()
  const path = screenOf(view)
  const entry = layout.data?.screens.find((one) => one.path === path && one.permitted)
  const isForeign = row === undefined
  const screen = useQuery({
    queryKey: keys.screen(entry?.id ?? ''),
    queryFn: () => fetchScreen(entry?.id ?? ''),
    enabled: isForeign && entry !== undefined,
    staleTime: 5 * 60_000,
  })
  const target = screen.data?.kind === 'form' || screen.data?.kind === 'detail' ? screen.data : undefined
  const loaded = useRecord(target?.load, target?.one ?? '', id, { resource: view.resource, isEnabled: isForeign && target !== undefined })
  const sections = [{ rows: view.columns.map((column) => [column.key]) }]
  if (row) return { record: row, fields: view.fields, sections, error: null, retry: undefined }
  return {
    record: loaded.data,
    fields: target?.fields ?? view.fields,
    sections: target?.sections ?? sections,
    error: loaded.error ?? screen.error,
    retry: () => void loaded.refetch(),
  }
}

/** Single keys, except while typing. */
function useKeys(keys: Record<string, () => void>) {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement | null
      if (event.ctrlKey || event.metaKey || event.altKey || target?.closest('input, textarea, select, [contenteditable], [role=combobox]'))
        return
      keys[event.key]?.()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  })
}
