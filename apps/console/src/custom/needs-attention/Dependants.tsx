import { useQuery } from '@tanstack/react-query'
import { currentOffline } from '../../offline/current.ts'
import { keptKind, titleOf } from '../../offline/kinds.ts'
import type { Attention, Change } from '../../offline/store/shapes.ts'
import { t } from '../../session/labels.ts'
import { attentionKey } from './actions.ts'

/** The unsent changes that wait until this one is decided; none for a change of a record that the office has. */
export function useDependants({ changeId, changeType, entityId }: Attention): Change[] {
  const isNew = changeType === 'INSERT' || changeType === 'CREATE'
  const { data } = useQuery({
    queryKey: [...attentionKey, 'dependants', changeId],
    queryFn: async () => (await currentOffline()?.store.attention.dependants(entityId)) ?? [],
    enabled: isNew,
  })
  return data ?? []
}

/** What waits for a refused new record, by kind and name. */
export function Dependants({ changes }: { changes: readonly Change[] }) {
  if (changes.length === 0) return null
  return (
    <p className="na-waiting">
      {t('{{count}} more changes wait for this one:', { count: changes.length })} {changes.map(wordsOf).join(', ')}
    </p>
  )
}

function wordsOf({ entityType, snapshot, patch }: Change): string {
  const kind = keptKind(entityType)
  if (!kind) return entityType
  const values =
    snapshot ?? Object.fromEntries(Object.entries(patch).map(([field, value]) => [field, Array.isArray(value) ? value[1] : null]))
  const name = titleOf(kind, values)
  return name === kind.label ? t(kind.label) : `${t(kind.label)} “${name}”`
}
