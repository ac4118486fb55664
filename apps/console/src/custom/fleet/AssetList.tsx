import { Button, Input, Select } from 'antd'
import { memo } from 'react'
import { distanceText, metres, type Place } from '../../map/index.ts'
import { t } from '../../session/labels.ts'
import { formatRelative } from '../../view/formats.ts'
import { alarmWords } from './event-words.ts'
import { stateLooks, states, type State, type Tracked } from './fleet.ts'

interface AssetListProps {
  shown: readonly Tracked[]
  counts: Record<State, number>
  groups: readonly { value: string; label: string }[]
  search: string
  state: State | undefined
  group: string | undefined
  chosen: string | undefined
  /** Where the distances are measured from; the nearest come first. */
  here: Place | undefined
  onForget: () => void
  onPatch: (changes: Record<string, string | undefined>) => void
  onOpen: (id: string) => void
}
/** More rows than these are found by search: a list of thousands helps nobody. */
const mostRows = 300

/** Search, group and states with their counts, and the assets that they leave. */
export const AssetList = memo(function AssetList({
  shown,
  counts,
  groups,
  search,
  state,
  group,
  chosen,
  here,
  onForget,
  onPatch,
  onOpen,
}: AssetListProps) {
  return (
    <section className="fleet-list" aria-label={t('Assets')}>
      <Input.Search
        allowClear
        aria-label={t('Search assets')}
        placeholder={t('Plate or tracker')}
        defaultValue={search}
        onChange={(event) => onPatch({ search: event.target.value || undefined })}
      />
      {groups.length > 0 && (
        <Select
          allowClear
          aria-label={t('Group')}
          placeholder={t('All groups')}
          options={[...groups]}
          value={group ?? null}
          onChange={(value: string | null) => onPatch({ group: value ?? undefined })}
        />
      )}
      <div className="fleet-states" role="group" aria-label={t('State')}>
        {states.map((one) => (
          <button
            key={one}
            type="button"
            data-tone={stateLooks[one].tone}
            aria-pressed={state === one}
            onClick={() => onPatch({ state: state === one ? undefined : one })}
          >
            <strong>{counts[one]}</strong> {t(stateLooks[one].label)}
          </button>
        ))}
      </div>
      <p className="fleet-count" role="status">
        {shown.length > mostRows
          ? t('{{shown}} of {{count}} assets: search to see the others', { shown: mostRows, count: shown.length })
          : t('{{count}} assets', { count: shown.length })}
      </p>
      {here ? (
        <p className="fleet-count">
          {t('The nearest first')}{' '}
          <Button size="small" type="link" onClick={onForget}>
            {t('By name')}
          </Button>
        </p>
      ) : null}
      <ul>
        {shown.slice(0, mostRows).map((one) => (
          <AssetRow key={one.asset.Id} one={one} isChosen={one.asset.Id === chosen} here={here} onOpen={onOpen} />
        ))}
      </ul>
    </section>
  )
})

interface AssetRowProps {
  one: Tracked
  isChosen: boolean
  here: Place | undefined
  onOpen: (id: string) => void
}

/** Drawn anew only when its asset moved: of hundreds, few do in half a second. */
const AssetRow = memo(function AssetRow({ one: { asset, state, speed, at, alarm, lat, lng }, isChosen, here, onOpen }: AssetRowProps) {
  return (
    <li>
      <button type="button" aria-current={isChosen} onClick={() => onOpen(asset.Id)}>
        <span className="fleet-dot" data-tone={stateLooks[state].tone} aria-hidden />
        <span className="fleet-name">{asset.name}</span>
        <span className="fleet-note">
          {alarm ? `${t('Alarm')}: ${alarmWords(alarm)}` : t(stateLooks[state].label)}
          {state === 'moving' && speed !== null ? ` · ${Math.round(speed)} km/h` : ''}
          {at ? ` · ${formatRelative(at)}` : ''}
          {here && lat !== null && lng !== null ? ` · ${distanceText(metres(here, { lat, lng }))}` : ''}
        </span>
      </button>
    </li>
  )
})
