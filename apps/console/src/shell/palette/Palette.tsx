import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Command } from 'cmdk'
import type { ConsoleFrame } from '@outpost/contract/console'
import { useDeferredValue, useMemo, useState } from 'react'
import { api } from '../../data/api.ts'
import { useConnection } from '../../data/connection.ts'
import { syncNow } from '../../offline/status.ts'
import { setScheme, useScheme } from '../../theme/scheme.ts'
import { openKeyboardHelp } from '../frame/overlays.ts'
import { requestSignOut } from '../sign-out.ts'
import { createEntries, navigateEntries } from './entries.ts'
import type { PaletteEntry } from './entries.ts'
import { isPerson, matches, parseQuery } from './query.ts'
import { useRecents } from './recents.ts'
import './palette.css'

interface Found { resource: string, Id: string, title: string, subtitle?: string, screen: string }
interface Action { id: string, label: string, run: () => void }
const shown = 7

/** One box for everything: screens, records, new records, actions; empty it shows where the user was last. */
export function Palette({ frame, close }: { frame: ConsoleFrame, close: () => void }) {
  const [typed, setTyped] = useState('')
  const { scope, text } = parseQuery(typed)
  const { isOnline } = useConnection()
  const { recents, remember } = useRecents(frame.user.Id)
  const navigate = useNavigate()
  const actions = useActions(close)
  const places = useMemo(() => ({ navigate: navigateEntries(frame, isOnline), create: createEntries(frame, isOnline) }), [frame, isOnline])
  const records = useRecordSearch(scope === 'actions' ? '' : text, isOnline)
  const go = (label: string, path: string): void => {
    remember({ label, path })
    close()
    void navigate({ href: path })
  }
  const fitting = <Entry extends { label: string, hint?: string }>(entries: Entry[], most: number): Entry[] =>
    entries.filter((entry) => matches(`${entry.label} ${entry.hint ?? ''}`, text)).slice(0, most)
  const item = (entry: PaletteEntry) => <Row key={entry.id} value={entry.id} label={entry.label} hint={entry.hint} onSelect={() => go(entry.label, entry.path)} />
  const isAll = scope === 'all'
  const found = records.found.filter((one) => scope !== 'people' || isPerson(one.resource))
  return (
    <Command.Dialog open onOpenChange={(isOpen) => isOpen || close()} label="Search" shouldFilter={false} loop overlayClassName="o-palette-mask" contentClassName="o-palette">
      <Command.Input value={typed} onValueChange={setTyped} placeholder="Search..." aria-label="Search screens, records and actions" />
      <Command.List label="Results">
        <Command.Empty>{emptyText(text, records.isAsking, isOnline)}</Command.Empty>
        {isAll && text === '' && recents.length > 0 && <Command.Group heading="Recent">{recents.map((one) => item({ id: `recent ${one.path}`, ...one }))}</Command.Group>}
        {found.length > 0 && (
          <Command.Group heading="Records">
            {found.map((one) => <Row key={`${one.resource} ${one.Id}`} value={`record ${one.resource} ${one.Id}`} label={one.title} hint={one.subtitle} onSelect={() => go(one.title, one.screen)} />)}
          </Command.Group>
        )}
        {isAll && <Section heading="Navigate">{fitting(places.navigate, text ? shown : 50).map(item)}</Section>}
        {isAll && <Section heading="Create">{fitting(places.create, shown).map(item)}</Section>}
        {(isAll || scope === 'actions') && (
          <Section heading="Actions">{fitting(actions, shown).map((action) => <Row key={action.id} value={action.id} label={action.label} onSelect={action.run} />)}</Section>
        )}
      </Command.List>
      <p className="o-palette-foot"><span><kbd>↑↓</kbd> choose</span><span><kbd>↵</kbd> open</span><span><kbd>&gt;</kbd> actions</span><span><kbd>#</kbd> id</span><span><kbd>@</kbd> person</span></p>
    </Command.Dialog>
  )
}

function Section({ heading, children }: { heading: string, children: React.ReactNode[] }) {
  return children.length > 0 ? <Command.Group heading={heading}>{children}</Command.Group> : null
}

function Row({ value, label, hint, onSelect }: { value: string, label: string, hint?: string, onSelect: () => void }) {
  return <Command.Item value={value} onSelect={onSelect}><span className="o-palette-label">{label}</span>{hint && <small>{hint}</small>}</Command.Item>
}

function useRecordSearch(text: string, isOnline: boolean): { found: Found[], isAsking: boolean } {
  const search = useDeferredValue(text)
  const isLong = search.length >= 2
  const { data, isFetching } = useQuery({
    queryKey: ['palette', search], enabled: isLong && isOnline, staleTime: 30_000, retry: false, placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      await pause(150, signal)
      return (await api.get<{ results: Found[] }>('/api/search', { q: search }, { signal })).data.results
    },
  })
  return { found: isLong && isOnline ? data ?? [] : [], isAsking: isFetching }
}

/** Waits while the user types on; a newer search aborts the wait. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason as Error)
    })
  })
}

function useActions(close: () => void): Action[] {
  const next = useScheme() === 'dark' ? 'light' : 'dark'
  const then = (run: () => unknown) => () => {
    close()
    run()
  }
  return [
    { id: 'action theme', label: `Use ${next} theme`, run: then(() => setScheme(next)) },
    { id: 'action sync', label: 'Sync now', run: then(() => void syncNow()) },
    { id: 'action keys', label: 'Keyboard shortcuts', run: then(openKeyboardHelp) },
    { id: 'action copy', label: 'Copy link to this page', run: then(() => void navigator.clipboard.writeText(location.href)) },
    { id: 'action out', label: 'Log out', run: then(() => void requestSignOut()) },
  ]
}

function emptyText(text: string, isAsking: boolean, isOnline: boolean): string {
  if (isAsking) return 'Searching…'
  if (!isOnline) return 'Nothing here. Records are searched when you are online again.'
  return text.length === 1 ? 'Type one more letter to search records.' : 'Nothing matches.'
}
