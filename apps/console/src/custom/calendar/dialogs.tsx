import type { CallInput } from '@outpost/client/client'
import { call } from '../../data/calls.ts'
import { keys } from '../../data/keys.ts'
import { queryClient } from '../../data/query-client.ts'
import type { Row } from '../../data/records.ts'
import { toast } from '../../feedback/toast.ts'
import { t } from '../../session/labels.ts'
import { ActionDialog } from '../../view/actions/ActionDialog.tsx'
import type { Times } from './useChange.ts'
import type { Type } from './useCalendar.ts'

/** Asks for a new activity's name, type and times, and makes it. */
export function CreateDialog({ times, types, onClose }: { times: Times; types: readonly Type[]; onClose: () => void }) {
  const create = async (values: Record<string, unknown>) => {
    const { message } = await call('activities.create', {
      body: Object.fromEntries(
        Object.entries(values).filter(([, value]) => value !== null && value !== ''),
      ) as CallInput<'activities.create'>['body'],
    })
    await queryClient.invalidateQueries({ queryKey: keys.records('activity') })
    toast.success({ title: message ?? t('Activity created') })
  }
  return (
    <ActionDialog
      action={{
        key: 'create',
        label: t('New activity'),
        scope: 'page',
        form: [
          { key: 'name', kind: 'text', label: t('Name'), required: true, maxLength: 120 },
          {
            key: 'activityTypeId',
            kind: 'choice',
            label: t('Type'),
            options: types.map(({ Id, name, label }) => ({ value: Id, label: label ?? name })),
          },
          { key: 'startDate', kind: 'dateTime', label: t('Start'), required: true, defaultValue: times.startDate },
          { key: 'endDate', kind: 'dateTime', label: t('End'), required: true, defaultValue: times.endDate },
          { key: 'location', kind: 'text', label: t('Place'), maxLength: 200 },
        ],
      }}
      subject=""
      run={create}
      onClose={onClose}
    />
  )
}

/** The way to move an activity without dragging it. */
export function MoveDialog({ row, onMove, onClose }: { row: Row; onMove: (times: Times) => Promise<void>; onClose: () => void }) {
  return (
    <ActionDialog
      action={{
        key: 'move',
        label: t('Move'),
        scope: 'row',
        form: [
          { key: 'startDate', kind: 'dateTime', label: t('Start'), required: true, defaultValue: row.startDate },
          { key: 'endDate', kind: 'dateTime', label: t('End'), required: true, defaultValue: row.endDate ?? row.startDate },
        ],
      }}
      subject={String(row.name ?? '')}
      run={(values) => onMove(values as unknown as Times)}
      onClose={onClose}
    />
  )
}
