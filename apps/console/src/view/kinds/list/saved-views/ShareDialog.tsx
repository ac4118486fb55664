import { pathOf } from '@outpost/client/client'
import { useMemo } from 'react'
import type { FieldView } from '@outpost/contract/fields'
import { t } from '../../../../session/labels.ts'
import { FieldDialog } from '../../../actions/FieldDialog.tsx'
import { shareLabels } from './saved-views.ts'
import type { SavedView, SavedViewInput, ShareScope } from './saved-views.ts'

export type ShareInput = Pick<SavedViewInput, 'scope'> & Partial<Pick<SavedViewInput, 'name' | 'userIds'>>

interface ShareDialogProps {
  /** The view of one's own that is shared; without one, what is on the screen becomes one. */
  own: SavedView | undefined
  /** What a new one is called at first. */
  name: string
  /** May show it to a whole role, tenant or company. */
  mayShare: boolean
  /** Throws when it is refused. */
  onShare: (input: ShareInput) => Promise<void>
  onClose: () => void
}

/** Asks with whom a view is shared: colleagues by name, or, of an administrator, everybody of a role, tenant or company. */
export function ShareDialog({ own, name, mayShare, onShare, onClose }: ShareDialogProps) {
  const fields = useMemo(() => fieldsOf({ own, name, mayShare }), [own, name, mayShare])
  return (
    <FieldDialog
      title={t('Share the view')}
      okText={t('Share')}
      subject={own?.name ?? t('What you see becomes a view of your own.')}
      fields={fields}
      onClose={onClose}
      question={t('They find it beside their own views, on the records they may see, and can copy it but not change it.')}
      run={({ scope = 'user', ...values }) => onShare({ scope: scope as ShareScope, ...values })}
    />
  )
}

const people = { to: 'user', path: pathOf('users.list'), many: 'users', idKey: 'Id', labelKey: 'fullName' }

function fieldsOf({ own, name, mayShare }: Pick<ShareDialogProps, 'own' | 'name' | 'mayShare'>): FieldView[] {
  const options = Object.entries({ ...shareLabels, user: 'Colleagues by name' }).map(([value, label]) => ({ value, label: t(label) }))
  return [
    ...(own ? [] : [{ key: 'name', kind: 'text', label: t('Name'), required: true, maxLength: 60, defaultValue: name } as const]),
    ...(mayShare
      ? [{ key: 'scope', kind: 'choice', label: t('Who sees it'), required: true, defaultValue: own?.scope ?? 'user', options } as const]
      : []),
    {
      key: 'userIds',
      kind: 'multiReference',
      label: t('Colleagues'),
      required: own === undefined,
      defaultValue: own?.sharedWith ?? [],
      reference: people,
      ...(own ? { help: t('Whoever is taken out no longer sees it.') } : {}),
      ...(mayShare ? { visibleIf: { eq: ['scope', 'user'] } } : {}),
    },
  ]
}
