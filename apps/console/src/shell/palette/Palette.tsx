import { upperFirst } from 'es-toolkit/string/upperFirst'
import { delay } from 'es-toolkit/promise/delay'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Command } from 'cmdk'
import type { ConsoleLayout } from '@outpost/contract/console'
import { useMemo, useState, type ReactNode } from 'react'
import { call } from '../../data/calls.ts'
import { useConnection } from '../../data/connection.ts'
import { syncNow } from '../../offline/sync/status.ts'
import { t } from '../../session/labels.ts'
import { setScheme, useScheme } from '../../theme/scheme.ts'
import { openKeyboardHelp } from '../layout/overlays.ts'
import { requestSignOut } from '../sign-out.ts'
import { createEntries, navigateEntries } from './entries.ts'
import type { PaletteEntry } from './entries.ts'
import { fitOf, fitting, parseQuery } from './query.ts'
import { useRecents, type Recent } from './recents.ts'
import './palette.css'

interface Found {
  resource: string
  Id: string
  title: string
  subtitle?: string
  place?: string | null
  screen: string
  isPerson?: boolean
}
interface Action {
  id: string
  label: string
  run: () => void
}
interface Group {
  heading: string
  fit: number
  rows: ReactNode[]
}
const shown = 7
/** Records come before what only contains the text, and after what begins with it. */
const recordFit = 2.5

/** One box for everything: screens, records, new records, actions; empty it shows where the user was last. */
export function Palette({ layout, close }: { layout: ConsoleLayout; close: () => void }) {
  const [typed, setTyped] = useState('')
  const { scope, text } = parseQuery(typed)
  const { isOnline } = useConnection()
  const { recents, remember } = useRecents(layout.user.Id)
  const navigate = useNavigate()
  const actions = useActions(close)
  const places = useMemo(
    () => ({ navigate: navigateEntries(layout, isOnline), create: createEntries(layout, isOnline) }),
    [layout, isOnline],
  )
  const records = useRecordSearch(scope === 'actions' ? '' : text, isOnline)
  const go = (recent: Recent): void => {
    remember(recent)
    close()
    void navigate({ href: recent.path })
  }
  const item = ({ id, ...entry }: Recent & { id: string }) => <Row key={id} value={id} {...entry} onSelect={() => go(entry)} />
  const group = (heading: string, entries: readonly PaletteEntry[], most: number): Group => {
    const rows = fitting(entries, text, most)
    return { heading, fit: rows[0] ? fitOf(rows[0], text) : 0, rows: rows.map(item) }
  }
  const found = records.found.filter((one) => scope !== 'people' || one.isPerson)
  const groups: Group[] = [
    {
      heading: 'Recent',
      fit: 3,
      rows: scope === 'all' && text === '' ? recents.map((one) => item({ id: `recent ${one.path}`, ...one })) : [],
    },
    { heading: 'Records', fit: recordFit, rows: found.map((one) => <RecordRow key={`${one.resource} ${one.Id}`} found={one} go={go} />) },
    ...(scope === 'all' ? [group('Navigate', places.navigate, text ? shown : 50), group('Create', places.create, shown)] : []),
    {
      heading: 'Actions',
      fit: 0,
      rows:
        scope === 'all' || scope === 'actions'
          ? fitting(actions, text, shown).map((action) => (
              <Row key={action.id} value={action.id} label={action.label} kind={t('Action')} onSelect={action.run} />
            ))
          : [],
    },
  ]
  return (
    <Command.Dialog
      open
      onOpenChange={(isOpen) => isOpen || close()}
      label={t('Search')}
      shouldFilter={false}
      loop
      overlayClassName="o-palette-mask"
      contentClassName="o-palette"
    >
      <Command.Input
        value={typed}
        onValueChange={setTyped}
        placeholder={t('Search...')}
        aria-label={t('Search screens, records and actions')}
      />
      <Command.List label={t('Results')}>
        <Command.Empty>{emptyText(text, records.isAsking, isOnline)}</Command.Empty>
        {groups
          .toSorted((a, b) => b.fit - a.fit)
          .map(
            ({ heading, rows }) =>
              rows.length > 0 && (
                <Command.Group key={heading} heading={t(heading)}>
                  {rows}
                </Command.Group>
              ),
          )}
      </Command.List>
      <p className="o-palette-foot">
        <span>
          <kbd>↑↓</kbd> {t('choose')}
        </span>
        <span>
          <kbd>↵</kbd> {t('open')}
        </span>
        <span>
          <kbd>&gt;</kbd> {t('actions')}
        </span>
        <span>
          <kbd>#</kbd> {t('id')}
        </span>
        <span>
          <kbd>@</kbd> {t('person')}
        </span>
      </p>
    </Command.Dialog>
  )
}

/** A hit: its words, what kind of record it is and the branch it belongs to. */
function RecordRow({ found: { resource, Id, title, subtitle, place, screen }, go }: { found: Found; go: (recent: Recent) => void }) {
  const about = { label: title, kind: t(upperFirst(resource)), ...(place ? { place } : {}) }
  return <Row value={`record ${resource} ${Id}`} {...about} hint={subtitle} onSelect={() => go({ ...about, path: screen })} />
}

interface RowProps {
  value: string
  label: string
  hint?: string | undefined
  kind?: string
  place?: string
  onSelect: () => void
}

function Row({ value, label, hint, kind, place, onSelect }: RowProps) {
  return (
    <Command.Item value={value} onSelect={onSelect}>
      <span className="o-palette-label">{label}</span>
      {hint && <small className="o-palette-hint">{hint}</small>}
      <small className="o-palette-kind">{[kind, place].filter(Boolean).join(' · ')}</small>
    </Command.Item>
  )
}

/** How long the typing must rest before records are asked for. */
const restMs = 50

function useRecordSearch(search: string, isOnline: boolean): { found: Found[]; isAsking: boolean } {
  const isLong = search.length >= 2
  const { data, isFetching } = useQuery({
    queryKey: ['palette', search],
    enabled: isLong && isOnline,
    staleTime: 30_000,
    retry: false,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      await delay(restMs, { signal })
      return (await call('search.all', { query: { q: search } }, { signal })).data.results as Found[]
    },
  })
  return { found: isLong && isOnline ? (data ?? []) : [], isAsking: isFetching }
}

function useActions(close: () => void): Action[] {
  const next = useScheme() === 'dark' ? 'light' : 'dark'
  const then = (run: () => unknown) => () => {
    close()
    run()
  }
  return [
    { id: 'action theme', label: t(next === 'dark' ? 'Use dark theme' : 'Use light theme'), run: then(() => setScheme(next)) },
    { id: 'action sync', label: t('Sync now'), run: then(() => void syncNow()) },
    { id: 'action keys', label: t('Keyboard shortcuts'), run: then(openKeyboardHelp) },
    { id: 'action copy', label: t('Copy link to this page'), run: then(() => void navigator.clipboard.writeText(location.href)) },
    { id: 'action out', label: t('Log out'), run: then(() => void requestSignOut()) },
  ]
}

function emptyText(text: string, isAsking: boolean, isOnline: boolean): string {
  if (isAsking) return 'Searching…'
  if (!isOnline) return 'Nothing here. Records are searched when you are online again.'
  return text.length === 1 ? 'Type one more letter to search records.' : 'Nothing matches.'
}
