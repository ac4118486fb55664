import { useRef, useState } from 'react'
import { Button, Form, Input, Select } from 'antd'
import { SearchOutlined } from '@ant-design/icons'
import type { InputRef } from 'antd'
import type { SettingsData, SettingsSection } from '@outpost/contract/settings'
import { useConnection } from '../../data/connection.ts'
import { t } from '../../session/labels.ts'
import { textOf, useAddress } from '../../view/address.ts'
import { useLeaveGuard } from '../../view/kinds/form/useLeaveGuard.tsx'
import { useSaveKey } from '../../view/kinds/form/useSaveKey.ts'
import { EmptyState, ErrorState } from '../../view/states/index.tsx'
import { Outline } from '../../view/states/Outline.tsx'
import type { CustomProps } from '../props.ts'
import { HistoryDrawer } from './HistoryDrawer.tsx'
import { settingsAt } from './place.ts'
import { SaveBar } from './SaveBar.tsx'
import { findSettings } from './search.ts'
import { SettingRow } from './SettingRow.tsx'
import { useSettings, type SettingsState } from './useSettings.ts'
import '../../view/view.css'
import './settings.css'

/** The settings of the company, or of a tenant above or below it, which the address names. */
export function Settings({ view }: CustomProps) {
  const data = view.data as unknown as SettingsData
  const { address, patch } = useAddress()
  const asked = textOf(address.tenant)
  const place = data.places.find(({ Id }) => Id === asked) ?? data.places.find(({ Id }) => Id === data.start)
  // A tenant's form begins anew: what was entered for one is never another's.
  return (
    <SettingsAt
      key={place?.Id ?? ''}
      title={view.title}
      data={place ? settingsAt(data, place.Id) : data}
      place={place}
      onPlace={(id) => patch({ tenant: id === data.start ? undefined : id }, { isStep: true })}
    />
  )
}

interface SettingsAtProps {
  title: string
  data: SettingsData
  place: SettingsData['places'][number] | undefined
  onPlace: (id: string) => void
}

/** Settings in sections: found by search, each with its purpose and value, saved together. */
function SettingsAt({ title, data, place, onPlace }: SettingsAtProps) {
  const [hasHistory, setHistory] = useState(false)
  const { isOnline } = useConnection()
  const settings = useSettings(data)
  const { address, patch } = useAddress()
  const [search, setSearch] = useState(() => textOf(address.search) ?? '')
  const field = useRef<InputRef>(null)
  const shown = findSettings(data.sections, search)
  const { changed, state, save, discard, form } = settings
  const guard = useLeaveGuard(changed.length > 0, () => changed.map(({ label }) => t(label)))
  const has = new Set(changed.map(({ key }) => key))
  useSaveKey(() => form.submit())
  // All of it comes at once: rows that fill up one after the other would push the others about.
  const isWaiting = [...settings.records.values()].some((one) => one?.isPending)
  return (
    <Form
      form={form}
      noValidate
      name="settings"
      className="set"
      onFinish={() => void save()}
      scrollToFirstError={{ focus: true, block: 'center' }}
      aria-label={t(title)}
    >
      <header className="view-header">
        <div className="view-header-title">
          <h1 tabIndex={-1}>{t(title)}</h1>
        </div>
        <div className="view-header-actions">
          {place && data.places.length > 1 ? (
            <Select
              className="set-place"
              aria-label={t('Settings of')}
              showSearch={{ optionFilterProp: 'label' }}
              value={place.Id}
              disabled={changed.length > 0}
              title={changed.length > 0 ? t('Save or discard your changes first.') : undefined}
              options={data.places.map(({ Id, name }) => ({ value: Id, label: name }))}
              onChange={onPlace}
            />
          ) : null}
          {place && data.history ? <Button onClick={() => setHistory(true)}>{t('Changes')}</Button> : null}
          <Input
            ref={field}
            type="search"
            className="set-search"
            prefix={<SearchOutlined aria-hidden />}
            allowClear
            placeholder={t('Search settings')}
            aria-label={t('Search settings')}
            value={search}
            onChange={({ target }) => {
              setSearch(target.value)
              patch({ search: target.value || undefined })
            }}
            onKeyDown={(event) => {
              if (event.key === 'Enter') {
                event.preventDefault()
                focusFirst()
              }
            }}
          />
        </div>
      </header>
      {isWaiting ? (
        <Outline shape="form" />
      ) : (
        <div className="set-body">
          <nav aria-label={t('Sections')} className="set-nav">
            <ul>
              {shown.map(({ key, title, items }) => (
                <li key={key}>
                  <a href={`#set-section-${key}`} onClick={(event) => jump(event, key)}>
                    {t(title)} <span>{items.length}</span>
                  </a>
                </li>
              ))}
            </ul>
          </nav>
          <div className="set-sections">
            <p role="status" className="o-hidden">
              {search === '' ? '' : `${shown.reduce((sum, { items }) => sum + items.length, 0)} ${t('settings found')}`}
            </p>
            {shown.length === 0 ? (
              <EmptyState title={t('No setting is called that')} body={t('Try another word, such as “currency” or “session”.')} />
            ) : null}
            {/* What was entered stays when a search hides it. */}
            {data.sections.map((section) => (
              <Section
                key={section.key}
                section={shown.find(({ key }) => key === section.key)}
                whole={section}
                data={data}
                settings={settings}
                place={place?.Id}
                changed={has}
              />
            ))}
            <SaveBar changed={changed} state={state} isOnline={isOnline} onDiscard={discard} />
          </div>
        </div>
      )}
      {guard.dialog}
      {place && data.history ? (
        <HistoryDrawer path={data.history.path} place={place} isOpen={hasHistory} onClose={() => setHistory(false)} />
      ) : null}
    </Form>
  )
}

interface SectionProps {
  section: SettingsSection | undefined
  whole: SettingsSection
  data: SettingsData
  settings: SettingsState
  place: string | undefined
  changed: ReadonlySet<string>
}

function Section({ section, whole, data, settings, place, changed }: SectionProps) {
  const { key, title, about, items } = whole
  const visible = new Set(section?.items.map((item) => item.key))
  const failed = data.sources
    .filter((source) => items.some((item) => item.source === source.key))
    .map((source) => settings.records.get(source.key))
    .find((one) => one?.error && !one.data)
  return (
    <section className="set-section" aria-labelledby={`set-section-${key}`} hidden={!section}>
      <h2 id={`set-section-${key}`} tabIndex={-1}>
        {t(title)}
      </h2>
      <p className="set-about">{t(about)}</p>
      {failed ? <ErrorState error={failed.error} what={t('This section')} onRetry={() => void failed.refetch()} /> : null}
      <ul>
        {items
          .filter(({ source }) => !failed || source === undefined)
          .map((item) => (
            <SettingRow
              key={item.key}
              item={item}
              source={data.sources.find((source) => source.key === item.source)}
              record={item.source ? settings.records.get(item.source)?.data : undefined}
              isChanged={changed.has(item.key)}
              isHidden={!visible.has(item.key)}
              place={place}
              saveLogo={data.saveLogo}
            />
          ))}
      </ul>
    </section>
  )
}

/** To the section, with the focus, and without an entry in the history. */
function jump(event: React.MouseEvent, key: string) {
  event.preventDefault()
  const heading = document.getElementById(`set-section-${key}`)
  heading?.scrollIntoView({ block: 'start' })
  heading?.focus({ preventScroll: true })
}

/** Enter in the search goes to the first setting that was found. */
function focusFirst() {
  const rows = [...document.querySelectorAll<HTMLElement>('.set-row')].filter((row) => row.getClientRects().length > 0)
  rows[0]?.querySelector<HTMLElement>('input, textarea, [role=combobox], a, button')?.focus()
}
