import { useState } from 'react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Button, Input, Select, Tag } from 'antd'
import { call, pathOf } from '../../data/calls.ts'
import { keys } from '../../data/keys.ts'
import { t } from '../../session/labels.ts'
import { textOf, useAddress } from '../../view/address.ts'
import { ErrorState, LoadingState } from '../../view/states/index.tsx'
import type { Simulation } from './simulation.ts'
import { Transcript } from './Transcript.tsx'
import './ussd-simulator.css'

const stranger = 'stranger'

/** A phone in the console: any version of the menus is tried on it, or a real session plays again beside what it was answered then. The address holds all of it. */
export function UssdSimulator() {
  const { address, patch } = useAddress()
  const [menu, session, who] = [textOf(address['menu']), textOf(address['session']), textOf(address['who'])]
  const inputs = (textOf(address['typed']) ?? '').split('*').filter((word) => word !== '')
  const body = {
    ...(menu ? { menuId: menu } : {}),
    ...(session ? { sessionId: session } : {}),
    ...(who === stranger ? { isStranger: true } : who ? { clientId: who } : {}),
    inputs,
  }
  const { data, error, isPending, refetch } = useQuery({
    queryKey: keys.list('ussdSession', pathOf('ussd.simulate'), body),
    placeholderData: keepPreviousData,
    retry: false,
    queryFn: async ({ signal }) => (await call('ussd.simulate', { body }, { signal })).data,
  })
  const type = (word: string) => patch({ typed: [...inputs, word].join('*') }, { isStep: true })
  return (
    <div className="view us">
      <header className="view-header">
        <div className="view-header-title">
          <h1 tabIndex={-1}>{t('USSD simulator')}</h1>
        </div>
      </header>
      <p className="us-hint">{t('Nothing is written here: no PIN, no request, no session. Figures are those of today.')}</p>
      <div className="us-choices">
        <MenuChoice value={menu} onChoose={(menuId) => patch({ menu: menuId, typed: undefined })} />
        {session === undefined && <WhoChoice value={who} onChoose={(next) => patch({ who: next, typed: undefined })} />}
        <Button onClick={() => patch({ typed: undefined, ...(session === undefined ? {} : { session: undefined }) }, { isStep: true })}>
          {session === undefined ? t('Dial again') : t('Dial anew')}
        </Button>
      </div>
      {isPending ? (
        <LoadingState rows={6} />
      ) : error || !data ? (
        <ErrorState error={error} what={t('The simulation')} onRetry={() => void refetch()} />
      ) : (
        <div className="us-stage">
          <Phone key={data.hops.length} data={data} isReplay={session !== undefined} onType={type} />
          <Transcript data={data} isReplay={session !== undefined} />
        </div>
      )}
    </div>
  )
}

function Phone({ data, isReplay, onType }: { data: Simulation; isReplay: boolean; onType: (word: string) => void }) {
  const [word, setWord] = useState('')
  const response = data.hops.at(-1)?.response ?? ''
  return (
    <section className="us-phone" aria-label={t('Phone')}>
      <p className="us-bar">
        <Tag variant="filled" className="view-tag">
          {data.menu}
        </Tag>
        <span>{data.who === '' ? t('A number that is nobody’s') : data.who}</span>
      </p>
      <output className="us-screen" aria-live="polite">
        {response.replace(/^(CON|END) /, '')}
      </output>
      {data.isOver ? (
        <p className="us-over">{t('The session is over.')}</p>
      ) : (
        <form
          className="us-entry"
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            if (word.trim() !== '') onType(word.trim().replaceAll('*', ''))
          }}
        >
          <Input
            autoFocus={!isReplay && data.hops.length > 1}
            aria-label={t('Answer')}
            autoComplete="off"
            inputMode="numeric"
            maxLength={40}
            value={word}
            onChange={(event) => setWord(event.target.value)}
          />
          <Button type="primary" htmlType="submit">
            {t('Send')}
          </Button>
        </form>
      )}
      <p className="us-pin">{t('The PIN of the simulator is {{pin}}.', { pin: data.pin })}</p>
    </section>
  )
}

function MenuChoice({ value, onChoose }: { value: string | undefined; onChoose: (id: string | undefined) => void }) {
  const { data } = useQuery({
    queryKey: keys.list('ussdMenu', pathOf('ussd.menus'), {}),
    queryFn: async ({ signal }) => (await call('ussd.menus', {}, { signal })).data,
  })
  const versions = (data?.ussdMenus ?? []).map(({ Id, menuNumber, state }) => ({
    value: String(Id),
    label: `${String(menuNumber)} · ${t(String(state))}`,
  }))
  return (
    <label>
      <span>{t('Menu')}</span>
      <Select
        aria-label={t('Menu')}
        value={value ?? ''}
        options={[{ value: '', label: t('As it is now, or was') }, ...versions]}
        onChange={(id) => onChoose(id === '' ? undefined : id)}
      />
    </label>
  )
}

function WhoChoice({ value, onChoose }: { value: string | undefined; onChoose: (id: string | undefined) => void }) {
  const [search, setSearch] = useState('')
  const { data } = useQuery({
    queryKey: keys.list('client', pathOf('clients.list'), { search, of: 'simulator' }),
    placeholderData: keepPreviousData,
    retry: false,
    queryFn: async ({ signal }) => (await call('clients.list', { query: { search, size: 20 } }, { signal })).data,
  })
  const found = (data?.clients ?? []).map(({ Id, fullName, phonenumber }) => ({
    value: String(Id),
    label: `${String(fullName)} · ${String(phonenumber)}`,
  }))
  const fixed = [
    { value: '', label: t('Somebody made up') },
    { value: stranger, label: t('A number that is nobody’s') },
  ]
  return (
    <label>
      <span>{t('Who dials')}</span>
      <Select
        aria-label={t('Who dials')}
        showSearch={{ filterOption: false, onSearch: setSearch }}
        value={value ?? ''}
        options={[
          ...fixed,
          ...found,
          ...(value && value !== stranger && !found.some((one) => one.value === value) ? [{ value, label: t('The chosen client') }] : []),
        ]}
        onChange={(id) => onChoose(id === '' ? undefined : id)}
      />
    </label>
  )
}
